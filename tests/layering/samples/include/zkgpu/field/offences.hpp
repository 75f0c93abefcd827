// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

#include <eigen.h>
#include <boost/multiprecision/cpp_int.hpp>
#include <thread>
#include <vector>
#include <zkgpu/core/good.hpp>
#include <zkgpu/field/missing.hpp>
#include <zkgpu/ntt/plan.hpp>

#include "good.hpp"
#include "zkgpu/core/good.hpp"

// A comment may say __CUDA_ARCH__.
#if defined(__CUDA_ARCH__)
#endif
// This line is longer than one hundred columns, which no reviewer on a small screen thanks you for, really.
