/** The folder of a pod's logs: `ROOT/NAMESPACE_NAME_UID` (upstream: BuildPodLogsDirectory). */
export const podLogsDirectory = (root: string, namespace: string, name: string, uid: string): string =>
  `${root}/${[namespace, name, uid].join('_')}`;

/** A container's log relative to its pod's folder, a file an attempt: `NAME/2.log`. */
export const containerLogPath = (container: string, restartCount: number): string => `${container}/${restartCount}.log`;

/** The uid in the name of a pod's folder of logs. */
export const podUIDOfLogsDirectory = (name: string): string => name.slice(name.lastIndexOf('_') + 1);

/**
 * The restart count that follows the logs that a container's folder holds, 0 for none: a runtime may forget its containers when the
 * machine reboots. `files` are the names of the folder's files.
 */
export function restartCountOfLogs(files: readonly string[]): number {
  const counts = files.flatMap((file) => {
    const digits = /^(?<count>\d+)\.log(\..*)?/.exec(file)?.groups?.['count'];
    return digits === undefined || !Number.isSafeInteger(Number(digits)) ? [] : [Number(digits) + 1];
  });
  return Math.max(0, ...counts);
}
