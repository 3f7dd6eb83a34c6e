import { compareVersions } from '#lib/machinery/kube-version.ts';
import type { DiscoveredVersion } from '#lib/server/endpoints/discovery/resource-list.ts';
import { builtInPriorities, CUSTOM_PRIORITIES, type Priorities } from './priorities.ts';

/** A version of another server, and its priorities. */
export interface RemoteVersion {
  readonly version: DiscoveredVersion;
  readonly priorities: Priorities;
}

/** The group that is always first in a list, because its objects define which server serves which group. */
const FIRST = 'apiregistration.k8s.io';
/** Higher than any priority that an APIService may have. */
const ABOVE_ALL = 20_001;

/**
 * Merges this server's versions with those of other servers for discovery. Groups are sorted by the highest priority of their versions,
 * then by name. Within a group, versions are sorted by priority, then newest first. A version of another server replaces one of a
 * CustomResourceDefinition.
 */
export function mergeVersions(
  own: readonly DiscoveredVersion[],
  remote: readonly RemoteVersion[],
): readonly DiscoveredVersion[] {
  if (remote.length === 0) return own;
  const taken = new Set(remote.map(({ version }) => nameOf(version)));
  const mine = own.filter((version) => !taken.has(nameOf(version)));
  const all = [...mine.map((version) => ({ version, priorities: prioritiesOf(version) })), ...remote];
  const groups = [...Map.groupBy(all, ({ version }) => version.group)].map(([name, versions]) => ({
    name,
    priority: Math.max(...versions.map(({ priorities }) => priorities.groupPriorityMinimum)),
    versions: versions.toSorted(
      (a, b) =>
        b.priorities.versionPriority - a.priorities.versionPriority ||
        compareVersions(a.version.version, b.version.version),
    ),
  }));
  return groups
    .toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))
    .flatMap(({ versions }) => versions.map(({ version }) => version));
}

/** Returns the name of a version's APIService. */
const nameOf = ({ group, version }: DiscoveredVersion): string => `${version}.${group}`;

function prioritiesOf(version: DiscoveredVersion): Priorities {
  if (version.group === FIRST) return { groupPriorityMinimum: ABOVE_ALL, versionPriority: 15 };
  return builtInPriorities(nameOf(version)) ?? CUSTOM_PRIORITIES;
}
