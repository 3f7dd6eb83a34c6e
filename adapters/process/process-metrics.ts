import { promises } from 'node:fs';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { unhandledErrors } from './unhandled-errors.ts';

const gauge = (name: string, help: string, value: number | undefined): Family => ({
  name,
  help,
  type: 'gauge',
  samples: value === undefined ? [] : [{ labels: {}, value }],
});

/**
 * The process metrics of Prometheus' client libraries, and the number of errors that the process survived. Some metrics exist only on
 * Linux.
 */
export const processMetrics: Collector = {
  async collect(): Promise<readonly Family[]> {
    const { user, system } = process.cpuUsage();
    const [virtual, open, limit] = await Promise.all([virtualBytes(), openFiles(), maxFiles()]);
    return [
      ...(await unhandledErrors.collect()),
      {
        name: 'process_cpu_seconds_total',
        help: 'Seconds of processor time, of users and system.',
        type: 'counter',
        samples: [{ labels: {}, value: (user + system) / 1e6 }],
      },
      gauge('process_resident_memory_bytes', 'Bytes of memory in use.', process.memoryUsage.rss()),
      gauge('process_virtual_memory_bytes', 'Bytes of address space.', virtual),
      gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.', started),
      gauge('process_open_fds', 'Open file descriptors.', open),
      gauge('process_max_fds', 'File descriptors that may be open.', limit),
    ];
  },
};

const started = Math.round(performance.timeOrigin / 10) / 100;

const procFile = (name: string): Promise<string> => promises.readFile(`/proc/self/${name}`, 'utf8').catch(() => '');

const openFiles = (): Promise<number | undefined> =>
  promises.readdir('/proc/self/fd').then(
    (names) => names.length,
    () => undefined,
  );

async function virtualBytes(): Promise<number | undefined> {
  const kilobytes = /^VmSize:\s+(\d+) kB/m.exec(await procFile('status'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

async function maxFiles(): Promise<number | undefined> {
  const soft = /^Max open files\s+(\d+)/m.exec(await procFile('limits'))?.[1];
  return soft === undefined ? undefined : Number(soft);
}
