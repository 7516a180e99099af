/* Memory that grows; of whom it is does not matter here. */

#define reralloc(owner, old, type, count) realloc(old, (count) * sizeof(type))
