// SPDX-License-Identifier: Apache-2.0 OR MIT
#include "conformance/device_laws.hpp"

#include <zkgpu/backend/cpu.hpp>
#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/fake.hpp>

// The laws that tests/gpu asks of a GPU, of the device that is not there.
namespace {

using namespace zkgpu;

static_assert(test::Device<FakeDevice> && test::Device<Cuda>);
static_assert(!test::Device<Cpu<>>);

TEST_CASE("copies and fills of a fake device go where they should", "[backend][fake][law]") {
  test::copies_go_where_they_should(FakeDevice());
}
TEST_CASE("copies of a fake device are checked", "[backend][fake][law]") {
  test::copies_are_checked(FakeDevice());
}
TEST_CASE("pinned memory of a fake device is the host's", "[backend][fake][law]") {
  test::pinned_memory_is_the_hosts(FakeDevice());
}
TEST_CASE("memory of the host is pinned in place for a fake device", "[backend][fake][law]") {
  test::host_memory_is_pinned_in_place(FakeDevice());
}
TEST_CASE("memory of a fake device is counted", "[backend][fake][law]") {
  test::memory_is_counted(FakeDevice());
}
TEST_CASE("events order the queues of a fake device", "[backend][fake][law]") {
  test::events_order_queues(FakeDevice());
}
TEST_CASE("events of a fake device tell time", "[backend][fake][law]") {
  test::events_tell_time(FakeDevice());
}

}  // namespace
