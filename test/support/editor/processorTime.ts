import { readFileSync, readdirSync } from 'node:fs';

/** Of a line of /proc/PID/stat: whose child it is, and the ticks of the process and of its children that have ended. */
function readStat(pid: string): { parent: string; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which stands in brackets and may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { parent: fields[1] ?? '', ticks: fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) };
  } catch {
    return undefined;
  }
}

/** Processor time of this process and all below it; on other systems than Linux, of this process alone. */
export function treeCpuMs(): number {
  if (process.platform !== 'linux') return process.cpuUsage().user / 1000;
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const stat = readStat(pid);
        return stat ? [[pid, stat]] : [];
      }),
  );
  const own = String(process.pid);
  const below = (pid: string): boolean => pid === own || (all.has(pid) && below(all.get(pid)?.parent ?? ''));
  // A tick is a hundredth of a second.
  return [...all].reduce((sum, [pid, { ticks }]) => sum + (below(pid) ? ticks * 10 : 0), 0);
}
