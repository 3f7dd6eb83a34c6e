import type { AppArmorProfile, Pod } from '#lib/api/types/core.v1.ts';
import { wantedAppArmorProfile } from '../kuberuntime/security-profiles.ts';
import type { PodAdmitHandler, PodAdmitResult } from './pod-admit.ts';

/** Rejects pods whose AppArmor profiles this machine cannot enforce (upstream: NewAppArmorAdmitHandler). */
export const appArmorAdmitHandler = (isEnabled: boolean): PodAdmitHandler => ({
  async admit(pod): Promise<PodAdmitResult> {
    if (pod.status.phase !== 'Pending') return { admit: true }; // it was admitted before
    const fault = faultOf(profilesOf(pod), isEnabled);
    if (fault === undefined) return { admit: true };
    return { admit: false, reason: 'AppArmor', message: `Cannot enforce AppArmor: ${fault}` };
  },
});

/** The profiles that the pod and its containers request. */
function profilesOf(pod: Pod): AppArmorProfile[] {
  const { containers, initContainers = [], ephemeralContainers = [], securityContext } = pod.spec;
  const all = [...initContainers, ...(containers ?? []), ...ephemeralContainers];
  return [securityContext?.appArmorProfile, ...all.map((one) => wantedAppArmorProfile(pod, one))].filter(
    (one) => one !== undefined,
  );
}

function faultOf(profiles: readonly AppArmorProfile[], isEnabled: boolean): string | undefined {
  if (profiles.every(({ type }) => type === 'Unconfined')) return undefined;
  if (!isEnabled) return 'AppArmor is not enabled on the host';
  const isUnnamed = ({ type, localhostProfile = '' }: AppArmorProfile): boolean =>
    type === 'Localhost' && localhostProfile.trim() === '';
  return profiles.some(isUnnamed) ? 'invalid empty AppArmor profile name' : undefined;
}
