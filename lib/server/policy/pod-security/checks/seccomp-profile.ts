import type { PodSpec } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import {
  badContainers,
  type Check,
  type CheckPod,
  containers,
  containersOf,
  distinct,
  isWindows,
  plural,
  quoted,
  type Secured,
  setters,
  unless,
  type Violation,
} from '../check.ts';

const reason = 'seccompProfile';
const POD = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

const isAllowedAnnotation = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');

/** Checks annotations, which set the profile before the field existed. */
const byAnnotation: CheckPod = ({ annotations, spec }) => {
  const keys = [POD, ...containersOf(spec).map(({ name }) => CONTAINER + name)];
  const bad = distinct(
    keys.flatMap((key) => {
      const value = annotations[key];
      return value === undefined || isAllowedAnnotation(value) ? [] : [`${key}=${quote(value)}`];
    }),
  );
  return bad.length === 0 ? undefined : { reason, detail: `forbidden ${plural('annotation', bad)} ${bad.join(', ')}` };
};

const profileOf = ({ securityContext }: Secured): string | undefined => securityContext?.seccompProfile?.type;

const isAllowed = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';
const isBad = (holder: Secured): boolean => profileOf(holder) !== undefined && !isAllowed(profileOf(holder));

function explicit(spec: PodSpec): Violation | undefined {
  const who = setters(isBad(spec), badContainers(spec, isBad));
  if (who === '') return undefined;
  const types = [spec, ...containersOf(spec)].filter(isBad).map((one) => profileOf(one) ?? '');
  return { reason, detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(distinct(types))}` };
}

/** The profile must be the runtime's default, a profile of the host, or unset. */
export const seccompProfileBaseline: Check = {
  id: 'seccompProfile_baseline',
  versions: [
    { since: 0, check: byAnnotation },
    { since: 19, check: ({ spec }) => explicit(spec) },
  ],
};

const mustBeSet: CheckPod = ({ spec }) => {
  const wrong = explicit(spec);
  if (wrong !== undefined || isAllowed(profileOf(spec))) return wrong;
  const silent = badContainers(spec, (one) => profileOf(one) === undefined);
  if (silent.length === 0) return undefined;
  const types = '"RuntimeDefault" or "Localhost"';
  return { reason, detail: `pod or ${containers(silent)} must set securityContext.seccompProfile.type to ${types}` };
};

/** Like the baseline, but the profile must be set. */
export const seccompProfileRestricted: Check = {
  id: 'seccompProfile_restricted',
  overrides: 'seccompProfile_baseline',
  versions: [
    { since: 19, check: mustBeSet },
    { since: 25, check: unless(isWindows, mustBeSet) },
  ],
};
