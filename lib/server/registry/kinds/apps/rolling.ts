import type { RollingUpdateDaemonSet, RollingUpdateDeployment } from '#lib/api/types/apps.v1.ts';

type Rolling = RollingUpdateDaemonSet | RollingUpdateDeployment;

/** The update strategy in error messages: Go's JSON of the internal type. */
export function shownStrategy(type: string, rolling: Rolling | undefined): ReadonlyMap<string, unknown> {
  const amounts = (of: Rolling) =>
    new Map([
      ['MaxUnavailable', of.maxUnavailable ?? 0],
      ['MaxSurge', of.maxSurge ?? 0],
    ]);
  return new Map<string, unknown>([
    ['Type', type],
    ['RollingUpdate', rolling === undefined ? null : amounts(rolling)],
  ]);
}
