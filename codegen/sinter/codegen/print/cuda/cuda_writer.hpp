// The printer behind emit_cuda: what stands around the work of every kernel; must not know schedules one by one.
#pragma once

#include <sinter/codegen/print/cuda/value_writer.hpp>
#include <sinter/codegen/print/written_by.hpp>
#include <sinter/codegen/schedule/facts/scan_facts.hpp>

namespace sinter::inline SINTER_ABI::codegen {

/// A kernel's source from its head to its end; a class for each family of schedules says what stands between.
class cuda_writer : public value_writer {
public:
    explicit cuda_writer(const kernel& k);
    cuda_writer(const cuda_writer&) = delete;
    cuda_writer& operator=(const cuda_writer&) = delete;
    /// What stands before a family's functions and entry point, and the whole source. To be called once each.
    void write_beginning();
    kernel_source source();

protected:
    std::string accumulator(std::size_t r) const;
    void write_head();
    void write_around();
    void write_end();
    texts element_parameters() const;
    void write_element(const char* name, const texts& parameters, element_forms forms = {});
    void write_first_of_block();
    void open_packs(const std::string& at, const std::string& block_striped, const std::string& size);

    const scan_facts scan_;

private:
    texts parameters() const;
    std::string operand_parameter(std::size_t o) const;
    void write_arrival();

    std::string name_;
};

/// What each kernel does before any other statement; `early_start_capability` says why this is right.
std::string early_start_text();

}  // namespace sinter::inline SINTER_ABI::codegen

#if SINTER_HEADER_ONLY
#include <sinter/codegen/print/cuda/cuda_writer.ipp>
#endif
