/** Server settings written into a new cluster's postgresql.conf, where the operator may change them. */
export const clusterSettings: Record<string, string> = {
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  max_connections: '200',
  // Compiling a plan takes longer than any of our short reads.
  jit: 'off',
  // The value for a solid-state disk; with the default of 4 the planner avoids the indexes that every list needs.
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** For clusters that are thrown away: a crash may lose everything. Tests only. */
export const throwawaySettings: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Nobody follows its log: what a transaction creates as a whole, such as an index, is not logged.
  wal_level: 'minimal',
  max_wal_senders: '0',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
};
