// SPDX-License-Identifier: Apache-2.0 OR MIT
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

#include <zkgpu/backend/cuda.hpp>
#include <zkgpu/backend/page_registry.hpp>

#include "arena.hpp"

namespace zkgpu {

namespace cuda {

bool synchronous_launches() noexcept {
  static const bool on = [] {
    const char* value = std::getenv("ZKGPU_SYNC_LAUNCHES");
    return value != nullptr && std::string_view(value) == "1";
  }();
  return on;
}

void check(int status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  const auto error = static_cast<cudaError_t>(status);
  static_cast<void>(cudaGetLastError());  // an error that is not sticky ends here
  const std::string text = std::string("cuda: ") + call + ": " + cudaGetErrorName(error) + " (" +
                           cudaGetErrorString(error) + ") at " + file + ":" + std::to_string(line);
  if (error == cudaErrorMemoryAllocation) throw ResourceExhausted(text);
  throw DeviceError(text);
}

void allow_shared_memory(const void* kernel, std::size_t bytes, int device) {
  static std::mutex mutex;
  static std::map<std::pair<const void*, int>, std::size_t> allowed;
  const std::lock_guard<std::mutex> lock(mutex);
  std::size_t& largest = allowed[{kernel, device}];
  if (bytes <= largest) return;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)),
        "cudaFuncSetAttribute");
  largest = bytes;
}

bool can_overlap(const void* kernel, int device) {
  static std::mutex mutex;
  static std::map<std::pair<const void*, int>, bool> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [at, fresh] = known.try_emplace({kernel, device}, false);
  if (fresh) {
    int major = 0;
    cudaFuncAttributes attributes{};
    at->second =
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
        major >= 9 && cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess &&
        attributes.ptxVersion >= 90;
    static_cast<void>(cudaGetLastError());  // the launch says what is wrong, if anything is
  }
  return at->second;
}

namespace {

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    char byte[3];
    std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += byte;
  }
  return text;
}

CudaDeviceInfo describe(int ordinal) {
  cudaDeviceProp found{};
  check(cudaGetDeviceProperties(&found, ordinal), "cudaGetDeviceProperties");
  CudaDeviceInfo info;
  info.ordinal = ordinal;
  info.name = found.name;
  info.uuid = uuid_text(found.uuid);
  info.properties.compute_units = static_cast<std::size_t>(found.multiProcessorCount);
  info.properties.unit_cache_bytes = found.sharedMemPerMultiprocessor;
  info.properties.device_cache_bytes = static_cast<std::size_t>(found.l2CacheSize);
  info.properties.memory_bytes = found.totalGlobalMem;
  info.properties.architecture = static_cast<unsigned>(10 * found.major + found.minor);
  return info;
}

std::size_t bytes_of(std::size_t n, std::size_t size) {
  if (n > static_cast<std::size_t>(-1) / size) {
    throw ResourceExhausted("cuda: an array of " + std::to_string(n) + " elements of " +
                            std::to_string(size) + " bytes");
  }
  return n * size;
}

std::byte* obtain_block(int device, std::size_t bytes) {
  check(cudaSetDevice(device), "cudaSetDevice");
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    throw ResourceExhausted("cuda: device memory: " + std::to_string(bytes) + " bytes wanted, " +
                            std::to_string(free) + " of " + std::to_string(total) + " free");
  }
  check(status, "cudaMalloc");
  return static_cast<std::byte*>(memory);
}

}  // namespace

}  // namespace cuda

CudaEvent::CudaEvent() {
  cudaEvent_t event = nullptr;
  cuda::check(cudaEventCreate(&event), "cudaEventCreate");
  event_.reset(event);
}
void CudaEvent::Destroy::operator()(CUevent_st* event) const noexcept {
  static_cast<void>(cudaEventDestroy(event));
}
double CudaEvent::milliseconds_since(const CudaEvent& earlier) const {
  float elapsed = 0;
  cuda::check(cudaEventElapsedTime(&elapsed, earlier.handle(), handle()), "cudaEventElapsedTime");
  return static_cast<double>(elapsed);
}
void CudaEvent::wait() const {
  cuda::check(cudaEventSynchronize(handle()), "cudaEventSynchronize");
}

CudaQueue::CudaQueue(int device) : device_(device) {
  cuda::check(cudaSetDevice(device), "cudaSetDevice");
  cudaStream_t stream = nullptr;
  cuda::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
              "cudaStreamCreateWithFlags");
  stream_.reset(stream);
}
void CudaQueue::Destroy::operator()(CUstream_st* stream) const noexcept {
  static_cast<void>(cudaStreamDestroy(stream));
}
void CudaQueue::wait() const {
  cuda::check(cudaStreamSynchronize(handle()), "cudaStreamSynchronize");
}
void CudaQueue::record(const CudaEvent& event) const {
  cuda::check(cudaEventRecord(event.handle(), handle()), "cudaEventRecord");
}
void CudaQueue::wait_for(const CudaEvent& event) const {
  cuda::check(cudaStreamWaitEvent(handle(), event.handle(), 0), "cudaStreamWaitEvent");
}
void CudaQueue::copy(const void* from, std::size_t from_bytes, void* to,
                     std::size_t to_bytes) const {
  if (from_bytes != to_bytes) throw InvalidArgument("cuda: copy between unequal sizes");
  if (from_bytes == 0) return;
  if (from == nullptr || to == nullptr) throw InvalidArgument("cuda: copy from or to no memory");
  cuda::check(cudaMemcpyAsync(to, from, to_bytes, cudaMemcpyDefault, handle()), "cudaMemcpyAsync");
}
void CudaQueue::fill_bytes(DeviceSpan<std::byte> to, int value) const {
  if (to.empty()) return;
  cuda::check(cudaMemsetAsync(to.data(), value, to.size(), handle()), "cudaMemsetAsync");
}

struct Cuda::State {
  explicit State(int ordinal)
      : info(cuda::describe(ordinal)),
        arena(std::make_shared<cuda::Arena>(cuda::BlockSource{
            [ordinal](std::size_t bytes) { return cuda::obtain_block(ordinal, bytes); },
            [](std::byte* memory) { static_cast<void>(cudaFree(memory)); }})),
        wiping(ordinal) {}

  CudaDeviceInfo info;
  std::shared_ptr<cuda::Arena> arena;
  CudaQueue wiping;  ///< one for all: a new one waits for the device's work
};

std::vector<CudaDeviceInfo> Cuda::devices() {
  int count = 0;
  cuda::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  std::vector<CudaDeviceInfo> found;
  for (int i = 0; i < count; ++i) found.push_back(cuda::describe(i));
  return found;
}

Cuda::Cuda(int ordinal) {
  // One arena for each device of the process, however many values of this class name it.
  static std::mutex mutex;
  static std::map<int, std::weak_ptr<State>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  state_ = known[ordinal].lock();
  if (state_ != nullptr) return;
  int count = 0;
  cuda::check(cudaGetDeviceCount(&count), "cudaGetDeviceCount");
  if (ordinal < 0 || ordinal >= count) {
    throw DeviceError("cuda: no device " + std::to_string(ordinal) + ", there are " +
                      std::to_string(count));
  }
  auto state = std::make_shared<State>(ordinal);
  known[ordinal] = state;
  state_ = std::move(state);
}

Cuda Cuda::select(std::string_view wanted) {
  for (const CudaDeviceInfo& device : devices()) {
    if (wanted == std::to_string(device.ordinal) || wanted == device.name ||
        (wanted.size() >= 8 && std::string_view(device.uuid).substr(0, wanted.size()) == wanted)) {
      return Cuda(device.ordinal);
    }
  }
  throw InvalidArgument("cuda: no device is called '" + std::string(wanted) + "'");
}

const CudaDeviceInfo& Cuda::info() const noexcept { return state_->info; }
CudaQueue Cuda::make_queue() const { return CudaQueue(state_->info.ordinal); }

std::shared_ptr<std::byte> Cuda::allocate_bytes(std::size_t n, std::size_t size) const {
  if (n == 0) return nullptr;
  auto arena = state_->arena;
  std::byte* memory = arena->allocate(cuda::bytes_of(n, size));
  return {memory, [arena](std::byte* lent) { arena->release(lent); }};
}

std::shared_ptr<std::byte> Cuda::allocate_pinned_bytes(std::size_t n, std::size_t size) const {
  if (n == 0) return nullptr;
  void* memory = nullptr;
  cuda::check(cudaSetDevice(state_->info.ordinal), "cudaSetDevice");
  cuda::check(cudaMallocHost(&memory, cuda::bytes_of(n, size)), "cudaMallocHost");
  return {static_cast<std::byte*>(memory),
          [](std::byte* lent) { static_cast<void>(cudaFreeHost(lent)); }};
}

PinnedPages Cuda::register_host(std::span<const std::byte> memory) const {
  static PageRegistry registry;  // one for all devices, as the driver has
  const auto pages = PageRegistry::whole_pages(memory);
  if (pages.empty()) return {};
  const auto pin = [device = state_->info.ordinal](PageRegistry::Pages wanted) {
    cuda::check(cudaSetDevice(device), "cudaSetDevice");
    void* const first = const_cast<std::byte*>(wanted.data());
    cudaPointerAttributes found{};
    cuda::check(cudaPointerGetAttributes(&found, first), "cudaPointerGetAttributes");
    if (found.type != cudaMemoryTypeUnregistered) return false;
    const cudaError_t status = cudaHostRegister(first, wanted.size(), cudaHostRegisterPortable);
    if (status == cudaErrorHostMemoryAlreadyRegistered) {  // a part of them, or just now
      static_cast<void>(cudaGetLastError());
      return false;
    }
    cuda::check(status, "cudaHostRegister");
    return true;
  };
  const auto unpin = [](PageRegistry::Pages pinned) {
    static_cast<void>(cudaHostUnregister(const_cast<std::byte*>(pinned.data())));
  };
  return {registry.lease(pages, pin, unpin), pages};
}

std::size_t Cuda::free_bytes() const {
  cuda::check(cudaSetDevice(state_->info.ordinal), "cudaSetDevice");
  std::size_t free = 0;
  std::size_t total = 0;
  cuda::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  const cuda::ArenaUse use = arena_use();
  return free + use.reserved_bytes - use.used_bytes;
}
cuda::ArenaUse Cuda::arena_use() const { return state_->arena->use(); }
void Cuda::trim() const { state_->arena->trim(); }
void Cuda::wipe(DeviceSpan<std::byte> memory) const {
  cuda::check(cudaSetDevice(state_->info.ordinal), "cudaSetDevice");
  state_->wiping.fill_bytes(memory, 0);
  state_->wiping.wait();
}

}  // namespace zkgpu
