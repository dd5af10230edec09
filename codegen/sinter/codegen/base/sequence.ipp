// Bodies of sequence.hpp.
#pragma once

#include <cstring>
#include <sinter/codegen/base/sequence.hpp>

namespace sinter::inline SINTER_ABI::codegen {

SINTER_INLINE void sequence_memory::reserve(std::size_t capacity, std::size_t element, mover move) {
    if (capacity <= capacity_) return;
    void* const larger = ::operator new(capacity * element);
    if (move) move(larger, data_, size_ * element);
    else if (size_ > 0) std::memcpy(larger, data_, size_ * element);
    ::operator delete(data_);
    data_ = larger;
    capacity_ = capacity;
}

SINTER_INLINE void sequence_memory::make_room(std::size_t count, std::size_t element, mover move) {
    if (size_ + count <= capacity_) return;
    const std::size_t twice = capacity_ ? 2 * capacity_ : 4;
    reserve(size_ + count > twice ? size_ + count : twice, element, move);
}

}  // namespace sinter::inline SINTER_ABI::codegen
