/* The driver's types that generated files use, as its header documents them. */
#include <stdint.h>

typedef enum { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER = 1, VK_DESCRIPTOR_TYPE_MAX_ENUM = 0x7fffffff } VkDescriptorType;

typedef enum {
    VK_RPI_ASSEMBLY_MAPPING_TYPE_DESCRIPTOR,
    VK_RPI_ASSEMBLY_MAPPING_TYPE_PUSH_CONSTANT
} VkRpiAssemblyMappingTypeEXT;

typedef struct {
    VkRpiAssemblyMappingTypeEXT mappingType;
    VkDescriptorType descriptorType;
    uint32_t descriptorSet, descriptorBinding, descriptorArrayElement, resourceOffset;
} VkRpiAssemblyMappingEXT;

typedef struct {
    int sType;
    const void *pNext;
    uint64_t **instructions;
    uint32_t *numInstructions;
    VkRpiAssemblyMappingEXT **mappings;
    uint32_t *numMappings;
} VkRpiShaderModuleAssemblyCreateInfoEXT;
