import type { AppArmorProfile, Container, Pod, SeccompProfile } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { type SecurityProfile, SecurityProfile_ProfileType } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { joinPath } from '#lib/node/volume/mount/path.ts';
import type { ConfigSettings } from './config-settings.ts';

const { RuntimeDefault, Unconfined, Localhost } = SecurityProfile_ProfileType;

/** The runtime's default profile. */
export const RUNTIME_DEFAULT: SecurityProfile = { profileType: RuntimeDefault, localhostRef: '' };
const UNCONFINED: SecurityProfile = { profileType: Unconfined, localhostRef: '' };

/** The seccomp profile of a container. Throws Error with upstream's text for a local profile without a name. */
export function seccompProfile(
  { spec }: Pod,
  { securityContext }: Container,
  { seccompProfileRoot, seccompDefault }: ConfigSettings,
): SecurityProfile {
  const profile: SeccompProfile | undefined = securityContext?.seccompProfile ?? spec.securityContext?.seccompProfile;
  if (profile === undefined) return seccompDefault ? RUNTIME_DEFAULT : UNCONFINED;
  if (profile.type === 'RuntimeDefault') return RUNTIME_DEFAULT;
  if (profile.type !== 'Localhost') return UNCONFINED;
  const { localhostProfile = '' } = profile;
  if (localhostProfile === '') throw new Error('localhostProfile must be set if seccompProfile type is Localhost.');
  return { profileType: Localhost, localhostRef: joinPath(seccompProfileRoot, localhostProfile) };
}

const ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
const LOCAL = 'localhost/';

/** An AppArmor profile for the runtime, and its name in the format for old runtimes. */
export interface RuntimeAppArmorProfile {
  readonly apparmor: SecurityProfile;
  readonly apparmorProfile: string;
}

/** The profile of a container from its own field, an old annotation, or its pod (upstream: apparmor.GetProfile). */
export const wantedAppArmorProfile = (
  { metadata, spec }: Pod,
  { name, securityContext }: Pick<Container, 'name' | 'securityContext'>,
): AppArmorProfile | undefined =>
  securityContext?.appArmorProfile ??
  annotatedProfile(ownField(metadata.annotations, `${ANNOTATION}${name}`)) ??
  spec.securityContext?.appArmorProfile;

/**
 * The AppArmor profile of a container for the runtime, or undefined if none is requested. Throws Error with upstream's text for an invalid
 * one.
 */
export function appArmorProfile(pod: Pod, container: Container): RuntimeAppArmorProfile | undefined {
  const profile = wantedAppArmorProfile(pod, container);
  if (profile === undefined) return undefined;
  switch (profile.type) {
    case 'RuntimeDefault':
      return { apparmor: RUNTIME_DEFAULT, apparmorProfile: 'runtime/default' };
    case 'Unconfined':
      return { apparmor: UNCONFINED, apparmorProfile: 'unconfined' };
    case 'Localhost': {
      const { localhostProfile: name } = profile;
      if (name === undefined) throw new Error('missing localhost apparmor profile name');
      return { apparmor: { profileType: Localhost, localhostRef: name }, apparmorProfile: `${LOCAL}${name}` };
    }
    default:
      throw new Error(`unknown apparmor profile type: ${quote(profile.type)}`);
  }
}

/** The profile that an old annotation names. Static pods may lack the field. */
function annotatedProfile(value: string | undefined): AppArmorProfile | undefined {
  if (value === 'runtime/default') return { type: 'RuntimeDefault' };
  if (value === 'unconfined') return { type: 'Unconfined' };
  return value?.startsWith(LOCAL) === true
    ? { type: 'Localhost', localhostProfile: value.slice(LOCAL.length) }
    : undefined;
}
