"""Register allocation for all targets: `allocate`, what a target tells it, and the checker of its work."""

from glslc_multi.compiler.codegen.regalloc.allocate import AllocationFault, allocate
from glslc_multi.compiler.codegen.regalloc.check import check_allocation, snapshot
from glslc_multi.compiler.codegen.regalloc.estimate import vanishing_copies
from glslc_multi.compiler.codegen.regalloc.model import RegisterModel

__all__ = ["AllocationFault", "RegisterModel", "allocate", "check_allocation", "snapshot", "vanishing_copies"]
