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

# Files of tables need a digest: their tests are built where OpenSSL is found (OPENSSL: its prefix).
OPENSSL_FLAGS = $(if $(OPENSSL),-I$(OPENSSL)/include)
HAVE_OPENSSL := $(shell printf '\#include <openssl/evp.h>\n' | \
	$(CXX) $(if $(OPENSSL),-I$(OPENSSL)/include) -E - >/dev/null 2>&1 && echo yes)
IO_TESTS = tests/gpu/tables_gpu.cpp

LIBRARY = $(patsubst cuda/%,$(BUILD)/%.o,$(wildcard cuda/*/*.cu cuda/*/*/*.cu cuda/*/*.cpp))
TEST_SOURCES = $(wildcard tests/gpu/*.cu) tests/main.cpp \
	$(if $(HAVE_OPENSSL),$(wildcard tests/gpu/*.cpp),$(filter-out $(IO_TESTS),$(wildcard tests/gpu/*.cpp)))
TABLE_FILES = $(if $(HAVE_OPENSSL),$(BUILD)/src/digest.cpp.o \
	$(BUILD)/instantiate/io/bls12_381_table_files.cpp.o)
DIGEST_LIBRARY = $(if $(HAVE_OPENSSL),$(if $(OPENSSL),-L$(OPENSSL)/lib) -lcrypto)
TESTS = $(patsubst tests/%,$(BUILD)/tests/%.o,$(TEST_SOURCES))
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

$(BUILD)/src/digest.cpp.o: src/io/digest.cpp
	@mkdir -p $(@D)
	$(CXX_RUN) $(OPENSSL_FLAGS) -c $< -o $@

$(BUILD)/gpu-tests: $(LIBRARY) $(TESTS) $(TABLE_FILES)
	$(NVCC) -arch=sm_$(ARCH) $^ $(DIGEST_LIBRARY) -o $@
$(BUILD)/gpu-bench: $(LIBRARY) $(BENCHES)
	$(NVCC) -arch=sm_$(ARCH) $^ -o $@

-include $(patsubst %.o,%.d,$(LIBRARY) $(TESTS) $(BENCHES))
