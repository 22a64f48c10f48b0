// Runs jobs a few at a time. It knows nothing of browsers: what a job does, and what its failure means, is its caller's
// affair.

/**
 * Runs jobs, `width` at a time, each begun in the order given; then, one by one, those that must be alone. Results are
 * in the order of the jobs. A job never rejects.
 */
export async function runPool(jobs, width, run, isAlone = () => false) {
  const results = new Array(jobs.length);
  const rest = jobs.map((job, at) => ({ job, at }));
  const queue = rest.filter(({ job }) => !isAlone(job));
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) results[next.at] = await run(next.job);
  };
  await Promise.all(Array.from({ length: width }, worker));
  for (const { job, at } of rest.filter(({ job: one }) => isAlone(one))) results[at] = await run(job);
  return results;
}

/**
 * Runs jobs as `runPool` does, and each that failed once more, by itself, when all others are done. A result is `ok`,
 * `flaky` (it failed and then passed) or `failed`.
 */
export async function runTwice(jobs, width, run, isAlone) {
  const passed = await runPool(jobs, width, run, isAlone);
  const results = [];
  for (const [at, job] of jobs.entries()) results.push(passed[at] ? 'ok' : (await run(job)) ? 'flaky' : 'failed');
  return results;
}
