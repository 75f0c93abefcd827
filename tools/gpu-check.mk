# SPDX-License-Identifier: Apache-2.0 OR MIT
# The GPU tests and benches without the rest of the project: needs nvcc, g++ and Catch2's header;
# oneTBB and xsimd for the CPU's backend, with which results are compared.
# Read by tools/gpu-check; BUILD is a folder, ARCH a compute capability as 90.
BUILD ?= build/gpu-check
ARCH ?= 90
NVCC ?= nvcc
INCLUDES = -Iinclude -Itests -Itests/support $(if $(CATCH2_INCLUDE),-I$(CATCH2_INCLUDE))
NVCC_RUN = $(NVCC) -std=c++20 -arch=sm_$(ARCH) -O3 -Werror=all-warnings \
	-Xcompiler=-Wall,-Wextra -lineinfo -MMD -MP $(INCLUDES)
CXX_RUN = $(CXX) -std=c++20 -O2 -MMD -MP $(INCLUDES) $(if $(CUDA_INCLUDE),-isystem $(CUDA_INCLUDE))

# Files need digests: tests that read them are built where OpenSSL is found (OPENSSL: its prefix).
OPENSSL_FLAGS = $(if $(OPENSSL),-I$(OPENSSL)/include)
HAVE_OPENSSL := $(shell printf '\#include <openssl/evp.h>\n' | \
	$(CXX) $(if $(OPENSSL),-I$(OPENSSL)/include) -E - >/dev/null 2>&1 && echo yes)
IO_TESTS = tests/gpu/tables_gpu.cpp

# The CPU's operations need oneTBB and xsimd: tests that compare with them are built where these are
# found (CPU_PREFIX: where, if not by the compiler alone).
CPU_FLAGS = $(if $(CPU_PREFIX),-isystem $(CPU_PREFIX)/include)
HAVE_CPU := $(shell printf '\#include <oneapi/tbb/parallel_for.h>\n\#include <xsimd/xsimd.hpp>\n' | \
	$(CXX) -std=c++20 $(if $(CPU_PREFIX),-isystem $(CPU_PREFIX)/include) -x c++ -E - >/dev/null 2>&1 \
	&& echo yes)
CPU_SOURCES = src/dispatch.cpp src/cpu_features.cpp src/instantiate/groth16_stages.cpp \
	$(wildcard src/instantiate/msm_*.cpp src/instantiate/ntt_*.cpp)
CPU_LIBRARY = $(if $(HAVE_CPU),$(patsubst src/%,$(BUILD)/cpu/%.o,$(CPU_SOURCES)))
# Whole proofs need more of it, and have programs of their own. Pools of threads that follow the
# machine's topology are left out: no test here uses them, and they need hwloc.
PIPELINE = $(filter-out src/pipeline/topology%,$(wildcard src/pipeline/*.cpp))
PROVER = $(patsubst cuda/%,$(BUILD)/%.o,$(wildcard cuda/instantiate/prover/*.cpp)) \
	$(filter-out $(CPU_LIBRARY),$(patsubst src/%,$(BUILD)/cpu/%.o,$(PIPELINE) $(wildcard \
	src/instantiate/groth16_*.cpp src/instantiate/prover_*.cpp src/instantiate/batch/*.cpp)))
# Keys and proofs of others are read from files, which takes nlohmann-json too.
HAVE_JSON := $(shell printf '\#include <nlohmann/json.hpp>\n' | $(CXX) -std=c++20 \
	$(if $(CPU_PREFIX),-isystem $(CPU_PREFIX)/include) -x c++ -E - >/dev/null 2>&1 && echo yes)
HAVE_FILES = $(and $(HAVE_OPENSSL),$(HAVE_JSON))
FILES = $(if $(HAVE_FILES),$(patsubst src/%,$(BUILD)/cpu/%.o,$(wildcard src/io/*.cpp)))
FILE_TESTS = tests/gpu/prover/golden_gpu.cpp
PROVER_TESTS = $(patsubst tests/%,$(BUILD)/tests/%.o,tests/main.cpp $(if $(HAVE_FILES), \
	$(wildcard tests/gpu/prover/*.cpp),$(filter-out $(FILE_TESTS),$(wildcard tests/gpu/prover/*.cpp))))
PROVER_BENCHES = $(patsubst bench/%,$(BUILD)/bench/%.o,$(wildcard bench/cuda/prover/*.cpp))
TBB_LIBRARY = $(if $(HAVE_CPU),$(if $(CPU_PREFIX),-L$(CPU_PREFIX)/lib \
	-Xlinker -rpath -Xlinker $(abspath $(CPU_PREFIX)/lib)) -ltbb)

LIBRARY = $(patsubst cuda/%,$(BUILD)/%.o,$(wildcard cuda/*/*.cu cuda/*/*/*.cu cuda/*/*.cpp))
TEST_SOURCES = $(wildcard tests/gpu/*.cu tests/gpu/backend/*.cpp) tests/main.cpp \
	$(if $(HAVE_OPENSSL),$(wildcard tests/gpu/*.cpp),$(filter-out $(IO_TESTS),$(wildcard tests/gpu/*.cpp))) \
	$(if $(HAVE_CPU),$(wildcard tests/gpu/agreement/*.cpp))
TABLE_FILES = $(if $(HAVE_OPENSSL),$(BUILD)/src/digest.cpp.o \
	$(BUILD)/instantiate/io/bls12_381_table_files.cpp.o)
DIGEST_LIBRARY = $(if $(HAVE_OPENSSL),$(if $(OPENSSL),-L$(OPENSSL)/lib) -lcrypto)
TESTS = $(patsubst tests/%,$(BUILD)/tests/%.o,$(TEST_SOURCES))
BENCHES = $(patsubst bench/%,$(BUILD)/bench/%.o,$(wildcard bench/cuda/*.cu bench/cuda/*.cpp)) \
	$(BUILD)/tests/gpu/points.cu.o

all: $(BUILD)/gpu-tests $(BUILD)/gpu-bench
prover: $(BUILD)/gpu-prover-tests $(BUILD)/gpu-prover-bench
.PHONY: all prover
$(PROVER) $(PROVER_TESTS): CXX_RUN += $(CPU_FLAGS)
$(FILES) $(PROVER_TESTS): CXX_RUN += $(OPENSSL_FLAGS)
$(PROVER_BENCHES): CXX_RUN += $(CPU_FLAGS) -Iprover

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
# A unit whose name ends in an instruction set is compiled for it.
$(BUILD)/cpu/%_avx2.cpp.o: ISA = -mavx2 -mfma -mbmi2 -madx
$(BUILD)/cpu/%_avx512ifma.cpp.o: ISA = -mavx512f -mavx512ifma -mavx512vl -mavx512dq -mavx512bw \
	-mbmi2 -madx
$(BUILD)/cpu/%.cpp.o: src/%.cpp
	@mkdir -p $(@D)
	$(CXX_RUN) $(CPU_FLAGS) $(ISA) -c $< -o $@
$(BUILD)/bench/%.cu.o: bench/%.cu
	@mkdir -p $(@D)
	$(NVCC_RUN) -c $< -o $@
$(BUILD)/bench/%.cpp.o: bench/%.cpp
	@mkdir -p $(@D)
	$(CXX_RUN) -c $< -o $@

$(BUILD)/src/digest.cpp.o: src/io/digest.cpp
	@mkdir -p $(@D)
	$(CXX_RUN) $(OPENSSL_FLAGS) -c $< -o $@

$(BUILD)/gpu-tests: $(LIBRARY) $(TESTS) $(TABLE_FILES) $(CPU_LIBRARY)
	$(NVCC) -arch=sm_$(ARCH) $^ $(DIGEST_LIBRARY) $(TBB_LIBRARY) -o $@
$(BUILD)/gpu-bench: $(LIBRARY) $(BENCHES)
	$(NVCC) -arch=sm_$(ARCH) $^ -o $@
$(BUILD)/gpu-prover-tests: $(LIBRARY) $(CPU_LIBRARY) $(PROVER) $(FILES) $(PROVER_TESTS)
	$(NVCC) -arch=sm_$(ARCH) $^ $(if $(HAVE_FILES),$(DIGEST_LIBRARY)) $(TBB_LIBRARY) -o $@
$(BUILD)/gpu-prover-bench: $(LIBRARY) $(CPU_LIBRARY) $(PROVER) $(PROVER_BENCHES)
	$(NVCC) -arch=sm_$(ARCH) $^ $(TBB_LIBRARY) -o $@

-include $(patsubst %.o,%.d,$(LIBRARY) $(TESTS) $(BENCHES) $(CPU_LIBRARY) $(PROVER) \
	$(FILES) $(PROVER_TESTS) $(PROVER_BENCHES))
