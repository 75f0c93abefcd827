// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "conformance/device_laws.hpp"

#include <zkgpu/backend/cuda.hpp>

// The laws of a device, of a GPU: what FakeDevice must be like.
namespace {

using namespace zkgpu;

TEST_CASE("copies and fills of a GPU go where they should", "[gpu][backend][law]") {
  test::copies_go_where_they_should(Cuda());
}
TEST_CASE("copies of a GPU are checked", "[gpu][backend][law]") {
  test::copies_are_checked(Cuda());
}
TEST_CASE("pinned memory of a GPU is the host's", "[gpu][backend][law]") {
  test::pinned_memory_is_the_hosts(Cuda());
}
TEST_CASE("memory of the host is pinned in place for a GPU", "[gpu][backend][law]") {
  test::host_memory_is_pinned_in_place(Cuda());
}
TEST_CASE("events order the queues of a GPU", "[gpu][backend][law]") {
  test::events_order_queues(Cuda());
}
TEST_CASE("events of a GPU tell time", "[gpu][backend][law]") { test::events_tell_time(Cuda()); }

// Others may use the GPU at the same time, so what it has free is not counted here.
TEST_CASE("memory that a GPU does not have is refused", "[gpu][backend][law]") {
  const Cuda device;
  CHECK_THROWS_AS(device.allocate<std::byte>(device.properties().memory_bytes + 1),
                  ResourceExhausted);
  CHECK(device.allocate<std::byte>(1).size() == 1);
}

}  // namespace
