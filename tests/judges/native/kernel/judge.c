/* A program's words in; on the standard output what the validator derives, a fact a line; nothing if it refuses. */

#include "vc4_validate_shaders.c"

#define LIMIT (1 << 20)

static uint64_t words[LIMIT];

int main(void)
{
	size_t count = fread(words, sizeof(*words), LIMIT, stdin);
	struct vc4_dev device = { false };
	struct drm_gem_dma_object shader = { { &device, count * sizeof(*words) }, words };
	struct vc4_validated_shader_info *found = vc4_validate_shader(&shader);

	if (!found)
		return 1;
	printf("size %u\n", found->uniforms_size);
	printf("threaded %d\n", found->is_threaded);
	for (uint32_t i = 0; i < found->num_uniform_addr_offsets; i++)
		printf("address %u\n", found->uniform_addr_offsets[i]);
	for (uint32_t i = 0; i < found->num_texture_samples; i++) {
		struct vc4_texture_sample_info *sample = &found->texture_samples[i];

		printf("%s", sample->is_direct ? "read" : "lookup");
		for (int k = 0; k < 4; k++)
			printf(" %d", sample->p_offset[k] == ~0u ? -1 : (int)sample->p_offset[k] / 4);
		printf("\n");
	}
	return 0;
}
