import { readFileSync, readdirSync } from 'node:fs';

/**
 * Milliseconds for which this thread has worked. What other processes do to a machine does not count, so that a limit
 * of it holds on a busy one too. Where the system does not tell (Linux does), it is the time that went by.
 */
export function workedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Milliseconds for which this thread works on something: the least of some tries, for what else runs adds to it. */
export function workOf(work: () => void, tries = 1): number {
  const all = Array.from({ length: tries }, () => {
    const before = workedMs();
    work();
    return workedMs() - before;
  });
  return Math.min(...all);
}

/** Processor time of this process, all its threads, and of its children that have ended; the latter on Linux alone. */
export function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (readStat('self')?.children ?? 0);
}

/** Processor time of this process and of all below it; on other systems than Linux, of this process alone. */
export function treeMs(): number {
  if (process.platform !== 'linux') return usedMs();
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const stat = readStat(pid);
        return stat ? [[pid, stat]] : [];
      }),
  );
  const own = String(process.pid);
  const isBelow = (pid: string): boolean => pid === own || (all.has(pid) && isBelow(all.get(pid)?.parent ?? ''));
  return [...all].reduce((sum, [pid, stat]) => sum + (isBelow(pid) ? stat.own + stat.children : 0), 0);
}

/** Of /proc/PID/stat: whose child it is, and the milliseconds of the process and of its children that have ended. */
function readStat(pid: string): { parent: string; own: number; children: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which stands in brackets and may hold blanks. A tick is a hundredth of a second.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = (at: number): number => (Number(fields[at]) + Number(fields[at + 1])) * 10;
    return { parent: fields[1] ?? '', own: ticks(11), children: ticks(13) };
  } catch {
    return undefined;
  }
}
