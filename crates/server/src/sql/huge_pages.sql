-- The huge pages that the shared memory needs: from version 15 on as the server computes it, -1 where the machine has none;
-- before, from what it has allotted, in the usual pages of 2 MiB, and one more for what is not listed.
SELECT coalesce(
    current_setting('shared_memory_size_in_huge_pages', true)::bigint,
    (SELECT ceil(sum(allocated_size) / 2097152.0)::bigint + 1 FROM pg_shmem_allocations)
)
