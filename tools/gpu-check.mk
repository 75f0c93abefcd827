# SPDX-License-Identifier: Apache-2.0 OR MIT
# The GPU tests and benches without the rest of the project: needs nvcc, g++ and Catch2's header.
# Read by tools/gpu-check; BUILD is a folder, ARCH a compute capability as 90.
BUILD ?= build/gpu-check
ARCH ?= 90
NVCC ?= nvcc
INCLUDES = -Iinclude -Itests/support $(if $(CATCH2_INCLUDE),-I$(CATCH2_INCLUDE))
NVCC_RUN = $(NVCC) -std=c++20 -arch=sm_$(ARCH) -O3 -Werror=all-warnings \
	-Xcompiler=-Wall,-Wextra -lineinfo -MMD -MP $(INCLUDES)
CXX_RUN = $(CXX) -std=c++20 -O2 -MMD -MP $(INCLUDES) $(if $(CUDA_INCLUDE),-isystem $(CUDA_INCLUDE))

LIBRARY = $(patsubst cuda/%,$(BUILD)/%.o,$(wildcard cuda/*/*.cu cuda/*/*.cpp))
TESTS = $(patsubst tests/%,$(BUILD)/tests/%.o,$(wildcard tests/gpu/*.cu tests/gpu/*.cpp) tests/main.cpp)
BENCHES = $(patsubst bench/%,$(BUILD)/bench/%.o,$(wildcard bench/cuda/*.cu bench/cuda/*.cpp)) \
	$(BUILD)/tests/gpu/points.cu.o

all: $(BUILD)/gpu-tests $(BUILD)/gpu-bench

$(BUILD)/%.cu.o: cuda/%.cu
	@mkdir -p $(@D)
	$(NVCC_RUN) -c $< -o $@
$(BUILD)/%.cpp.o: cuda/%.cpp
	@mkdir -p $(@D)
	$(CXX_RUN) -c $< -o $@
$(BUILD)/tests/%.cu.o: tests/%.cu
	@mkdir -p $(@D)
	$(NVCC_RUN) -c $< -o $@
$(BUILD)/tests/%.cpp.o: tests/%.cpp
	@mkdir -p $(@D)
	$(CXX_RUN) -c $< -o $@
$(BUILD)/bench/%.cu.o: bench/%.cu
	@mkdir -p $(@D)
	$(NVCC_RUN) -c $< -o $@
$(BUILD)/bench/%.cpp.o: bench/%.cpp
	@mkdir -p $(@D)
	$(CXX_RUN) -c $< -o $@

$(BUILD)/gpu-tests: $(LIBRARY) $(TESTS)
	$(NVCC) -arch=sm_$(ARCH) $^ -o $@
$(BUILD)/gpu-bench: $(LIBRARY) $(BENCHES)
	$(NVCC) -arch=sm_$(ARCH) $^ -o $@

-include $(patsubst %.o,%.d,$(LIBRARY) $(TESTS) $(BENCHES))
