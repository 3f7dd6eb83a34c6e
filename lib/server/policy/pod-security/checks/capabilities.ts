import type { Capabilities, PodSpec } from '#lib/api/types/core.v1.ts';
import {
  type AnyContainer,
  badContainers,
  type Check,
  type CheckPod,
  containers,
  containersOf,
  distinct,
  isWindows,
  quoted,
  unless,
} from '../check.ts';

/** The capabilities that container runtimes grant by default. */
const DEFAULT: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const BIND: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

/** Returns the detail about containers that add forbidden capabilities. Undefined if there are none. */
function additions(spec: PodSpec, allowed: ReadonlySet<string>): string | undefined {
  const beyond = ({ securityContext }: AnyContainer): string[] =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const bad = containersOf(spec).filter((container) => beyond(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = containers(bad.map(({ name }) => name));
  return `${names} must not include ${quoted(distinct(bad.flatMap(beyond)))} in securityContext.capabilities.add`;
}

/** Containers may add only capabilities that runtimes grant by default. */
export const capabilitiesBaseline: Check = {
  id: 'capabilities_baseline',
  versions: [
    {
      since: 0,
      check({ spec }) {
        const detail = additions(spec, DEFAULT);
        return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
      },
    },
  ],
};

const areAllDropped = (capabilities: Capabilities | undefined): boolean => (capabilities?.drop ?? []).includes('ALL');

const dropsAll: CheckPod = ({ spec }) => {
  const keeping = badContainers(spec, ({ securityContext }) => !areAllDropped(securityContext?.capabilities));
  const missing = `${containers(keeping)} must set securityContext.capabilities.drop=["ALL"]`;
  const added = additions(spec, BIND);
  const details = [...(keeping.length > 0 ? [missing] : []), ...(added === undefined ? [] : [added])];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

/** Containers must drop all capabilities, and may add only the one to bind low ports. */
export const capabilitiesRestricted: Check = {
  id: 'capabilities_restricted',
  overrides: 'capabilities_baseline',
  versions: [
    { since: 22, check: dropsAll },
    { since: 25, check: unless(isWindows, dropsAll) },
  ],
};
