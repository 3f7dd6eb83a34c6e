/** The log directory of a pod: `ROOT/NAMESPACE_NAME_UID` (upstream: BuildPodLogsDirectory). */
export const podLogsDirectory = (root: string, namespace: string, name: string, uid: string): string =>
  `${root}/${[namespace, name, uid].join('_')}`;

/** The log file of a container's attempt, relative to the pod's directory: `NAME/2.log`. */
export const containerLogPath = (container: string, restartCount: number): string => `${container}/${restartCount}.log`;

/** The uid in the name of a pod's log directory. */
export const podUIDOfLogsDirectory = (name: string): string => name.slice(name.lastIndexOf('_') + 1);

/**
 * The restart count after the logs in a container's directory, 0 without logs. A runtime may lose its containers in a reboot. `files` are
 * the names of the directory's files.
 */
export function restartCountOfLogs(files: readonly string[]): number {
  const counts = files.flatMap((file) => {
    const digits = /^(?<count>\d+)\.log(\..*)?/.exec(file)?.groups?.['count'];
    return digits === undefined || !Number.isSafeInteger(Number(digits)) ? [] : [Number(digits) + 1];
  });
  return Math.max(0, ...counts);
}
