// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cub/device/device_radix_sort.cuh>

#include <string>

#include <zkgpu/backend/launch.cuh>
#include <zkgpu/msm/cuda/kernels.cuh>

namespace zkgpu::msm_cuda {

void sort_entries(const CudaQueue& queue, EntryList& list, std::uint32_t* spare_keys,
                  std::uint32_t* spare_places, std::size_t entries, unsigned key_bits,
                  DeviceSpan<std::byte> scratch) {
  cub::DoubleBuffer<std::uint32_t> keys(list.keys, spare_keys);
  cub::DoubleBuffer<std::uint32_t> places(list.places, spare_places);
  std::size_t needed = 0;
  const auto sort = [&](void* memory) {
    cuda::check(cub::DeviceRadixSort::SortPairs(memory, needed, keys, places, entries, 0,
                                                static_cast<int>(key_bits), queue.handle()),
                "cub::DeviceRadixSort::SortPairs");
  };
  sort(nullptr);
  if (needed > scratch.size()) {
    throw InternalError("msm: the sort needs " + std::to_string(needed) + " bytes of scratch");
  }
  sort(scratch.data());
  list.keys = keys.Current();
  list.places = places.Current();
}

}  // namespace zkgpu::msm_cuda
