// SPDX-License-Identifier: Apache-2.0 OR MIT
#pragma once

/// The one header of Catch2 2 on a system that ships Catch2 3; on the include path only there.
#include <catch2/catch_all.hpp>

using Catch::Approx;
