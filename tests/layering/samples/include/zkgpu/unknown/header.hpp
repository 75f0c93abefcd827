#include <zkgpu/core/good.hpp>
