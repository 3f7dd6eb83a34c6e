import type { Container, Pod, PodSecurityContext, SELinuxOptions } from '#lib/api/types/core.v1.ts';
import type { Int64 } from '#lib/api/types/scalars.ts';
import { quote } from '#lib/machinery/go.ts';
import { isValidUserID } from '#lib/machinery/validation/formats.ts';
import {
  type Int64Value,
  type LinuxContainerSecurityContext,
  type SELinuxOption,
  SupplementalGroupsPolicy,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import { podText } from '../container/container-ref.ts';
import type { Image, RuntimeHelper } from '../container/runtime.ts';
import type { ConfigSettings } from './config-settings.ts';
import { effectiveSecurityContext, maskedPaths, readonlyPaths } from './effective-security-context.ts';
import { namespacesForPod } from './namespaces.ts';
import { appArmorProfile, seccompProfile } from './security-profiles.ts';

/** The user of an image: a number, or a name that only the image can resolve. */
export type ImageUser = { readonly uid: bigint } | { readonly username: string };

/** The user that runs an image's command. It is root if the image names none or is missing on the node (upstream: getImageUser). */
export function imageUser(image: Image | undefined): ImageUser {
  if (image?.uid !== undefined) return { uid: image.uid.value };
  return image === undefined || image.username === '' ? { uid: 0n } : { username: image.username };
}

/** Throws Error with upstream's text if a runAsNonRoot container runs as root, or if its user is unknown. */
export function verifyRunAsNonRoot(pod: Pod, container: Container, user: ImageUser): void {
  const { runAsNonRoot, runAsUser } = effectiveSecurityContext(pod, container);
  if (runAsNonRoot !== true) return;
  const where = `(pod: ${quote(podText(pod))}, container: ${container.name})`;
  if (runAsUser !== undefined) {
    if (BigInt(runAsUser) === 0n) throw new Error(`container's runAsUser breaks non-root policy ${where}`);
    return;
  }
  if ('username' in user) {
    const why = `image has non-numeric user (${user.username}), cannot verify user is non-root`;
    throw new Error(`container has runAsNonRoot and ${why} ${where}`);
  }
  if (user.uid === 0n) throw new Error(`container has runAsNonRoot and image will run as root ${where}`);
  const errors = isValidUserID(user.uid);
  if (errors.length === 0) return;
  const why = `image has an invalid user id (${user.uid}). (Must be 1-(2147483647)): ${errors.join('; ')}`;
  throw new Error(`container has runAsNonRoot and ${why} ${where}`);
}

/** An API number in the format of CRI messages. */
export const int64Value = (value: Int64 | undefined): Int64Value | undefined =>
  value === undefined ? undefined : { value: BigInt(value) };

/** SELinux labels in the format of CRI messages. */
export const selinuxOption = (options: SELinuxOptions | undefined): SELinuxOption | undefined =>
  options === undefined
    ? undefined
    : { user: options.user ?? '', role: options.role ?? '', type: options.type ?? '', level: options.level ?? '' };

/** The policy for supplemental groups of the image's user. Throws Error with upstream's text for an unknown policy. */
export function groupsPolicy({ supplementalGroupsPolicy: policy }: PodSecurityContext): SupplementalGroupsPolicy {
  if (policy === undefined || policy === 'Merge') return SupplementalGroupsPolicy.Merge;
  if (policy === 'Strict') return SupplementalGroupsPolicy.Strict;
  throw new Error(`unsupported supplementalGroupsPolicy: ${policy}`);
}

/** The ports for a container's security context. */
export interface SecurityPorts {
  readonly helper: Pick<RuntimeHelper, 'userNamespace' | 'extraSupplementalGroups'>;
  readonly settings: ConfigSettings;
  readonly user: ImageUser;
}

/** The security context of a container for the runtime (upstream: determineEffectiveSecurityContext). Throws Error with upstream's text. */
export function containerSecurityContext(
  pod: Pod,
  container: Container,
  { helper, settings, user }: SecurityPorts,
): LinuxContainerSecurityContext {
  const own = effectiveSecurityContext(pod, container);
  const whole = pod.spec.securityContext ?? {};
  const { capabilities } = own;
  const fallback = own.runAsUser === undefined ? user : undefined;
  const imageUid = fallback !== undefined && 'uid' in fallback ? fallback.uid : undefined;
  const groups = [whole.fsGroup, ...(whole.supplementalGroups ?? []), ...helper.extraSupplementalGroups(pod)];
  return {
    capabilities:
      capabilities === undefined
        ? undefined
        : {
            addCapabilities: [...(capabilities.add ?? [])],
            dropCapabilities: [...(capabilities.drop ?? [])],
            addAmbientCapabilities: [],
          },
    privileged: own.privileged === true,
    namespaceOptions: namespacesForPod(pod, helper),
    selinuxOptions: selinuxOption(own.seLinuxOptions),
    runAsUser: int64Value(own.runAsUser ?? imageUid),
    runAsGroup: int64Value(own.runAsGroup),
    runAsUsername: fallback !== undefined && 'username' in fallback ? fallback.username : '',
    readonlyRootfs: own.readOnlyRootFilesystem === true,
    supplementalGroups: groups.flatMap((group) => (group === undefined ? [] : [BigInt(group)])),
    supplementalGroupsPolicy: groupsPolicy(whole),
    noNewPrivs: own.allowPrivilegeEscalation === false,
    maskedPaths: maskedPaths(own.procMount, settings.thermalThrottlePaths),
    readonlyPaths: readonlyPaths(own.procMount),
    seccomp: seccompProfile(pod, container, settings),
    apparmor: undefined,
    apparmorProfile: '',
    ...appArmorProfile(pod, container),
    seccompProfilePath: '',
  };
}
