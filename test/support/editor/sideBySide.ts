import { fork, type ChildProcess } from 'node:child_process';
import { lastWallMs } from './history';
import { nameOf, runJob, type Job, type JobResult } from './jobs';
import { onShutdown } from './processes';
import { EditorSession } from './session';

type Count = (job: Job, result: JobResult) => void;

/** Printed behind all that a job prints, so that whoever reads it knows where that ends. */
const END_OF_JOB = '\u0004\u0003\u0004';

/** Nothing is known of a first run but how much the files do: a line of a person's test takes about so long. */
const MS_PER_LINE = 250;

function expectedMs(job: Job): number {
  return lastWallMs(job) ?? job.sources.reduce((sum, source) => sum + source.lines * MS_PER_LINE, 0);
}

/**
 * Runs jobs in so many editors: each is a process with a browser, servers, ports and folders of its own, and takes the
 * next job as soon as it is free, the longest first. What measures the machine comes last and runs alone.
 */
export async function runSideBySide(jobs: Job[], editors: number, count: Count): Promise<void> {
  if (editors < 2 || jobs.length < 2) return runHere(jobs, count);
  const alone = jobs.filter((job) => job.sources.some((source) => source.ownMachine));
  const queue = jobs.filter((job) => !alone.includes(job)).sort((a, b) => expectedMs(b) - expectedMs(a));
  const workers = Array.from({ length: editors }, startWorker);
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let job = queue.shift(); job; job = queue.shift()) count(job, await worker.run(job));
      }),
    );
    const [first, ...others] = workers;
    await Promise.all(others.map((worker) => worker.end()));
    for (const job of alone) if (first) count(job, await first.run(job));
  } finally {
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

async function runHere(jobs: Job[], count: Count): Promise<void> {
  const session = await EditorSession.start(() => undefined);
  for (const job of jobs) count(job, await runJob(session, job));
  await session.stop();
}

interface Worker {
  run(job: Job): Promise<JobResult>;
  /** Ends its browser and its servers too. */
  end(): Promise<void>;
}

function startWorker(): Worker {
  const child = fork(process.argv[1] ?? '', ['worker'], {
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const gone = new Promise<string>((done) =>
    child.once('exit', (code, signal) => done(`its process ended with ${signal ?? code}`)),
  );
  const end = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await gone;
  };
  // A run that is broken off does not wait for the job at hand.
  onShutdown(async () => {
    child.kill('SIGTERM');
    await gone;
  });
  const said = collect(child);
  return {
    end,
    run: async (job) => {
      const answered = new Promise<JobResult>((done) => child.once('message', done));
      if (child.connected) child.send(job);
      const result = await Promise.race([
        Promise.all([answered, said.ended()]).then(([result]) => result),
        gone.then((error): JobResult => {
          const failures = [{ file: nameOf(job), title: 'runs to its end', error }];
          return { passed: 0, pending: 0, failures, unsteady: [], tries: 1, wallMs: 0, cpuMs: 0 };
        }),
      ]);
      process.stdout.write(said.take());
      return result;
    },
  };
}

/** What a job prints is shown whole at its end: two that print at once could not be read. */
function collect(child: ChildProcess): { ended(): Promise<void>; take(): string } {
  let text = '';
  let tell = (): void => undefined;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes(END_OF_JOB)) tell();
    });
  return {
    ended: () =>
      new Promise((done) => {
        tell = done;
        if (text.includes(END_OF_JOB)) done();
      }),
    take: () => {
      const taken = text.replace(END_OF_JOB, '');
      text = '';
      return taken;
    },
  };
}

/** The other side of `startWorker`: runs what it is sent until its parent lets go of it. */
export async function work(): Promise<number> {
  process.setSourceMapsEnabled(true);
  const session = await EditorSession.start(() => undefined);
  let running = Promise.resolve();
  process.on('message', (job: Job) => {
    running = runJob(session, job).then((result) => {
      process.stdout.write(END_OF_JOB);
      process.send?.(result);
    });
  });
  await new Promise<void>((done) => process.once('disconnect', () => done()));
  await running;
  await session.stop();
  return 0;
}
