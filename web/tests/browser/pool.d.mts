export function runPool<Job, Result>(
  jobs: Job[],
  width: number,
  run: (job: Job) => Promise<Result>,
  isAlone?: (job: Job) => boolean,
): Promise<Result[]>;

export function runTwice<Job>(
  jobs: Job[],
  width: number,
  run: (job: Job) => Promise<boolean>,
  isAlone?: (job: Job) => boolean,
): Promise<('ok' | 'flaky' | 'failed')[]>;
