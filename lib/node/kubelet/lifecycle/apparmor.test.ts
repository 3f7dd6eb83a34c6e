import { expect, test } from 'vitest';
import type { AppArmorProfile, Pod } from '#lib/api/types/core.v1.ts';
import { appArmorAdmitHandler } from './apparmor.ts';

const DEFAULT = { type: 'RuntimeDefault' };
const UNCONFINED = { type: 'Unconfined' };
const ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/app';
const DISABLED = 'AppArmor: Cannot enforce AppArmor: AppArmor is not enabled on the host';

interface Wish {
  readonly pod?: AppArmorProfile;
  readonly container?: AppArmorProfile;
  readonly annotation?: string;
  readonly phase?: string;
}

const aPod = ({ pod, container, annotation, phase = 'Pending' }: Wish): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a', annotations: annotation === undefined ? {} : { [ANNOTATION]: annotation } },
  spec: {
    containers: [
      { name: 'app', image: 'i', resources: {}, ...(container && { securityContext: { appArmorProfile: container } }) },
    ],
    ...(pod && { securityContext: { appArmorProfile: pod } }),
  },
  status: { phase },
});

test.each<[string, Wish, boolean, string]>([
  ['without a profile runs anywhere', {}, false, 'admitted'],
  ['that is unconfined runs anywhere', { pod: UNCONFINED, container: UNCONFINED }, false, 'admitted'],
  ['with a profile runs if AppArmor is enabled', { pod: DEFAULT }, true, 'admitted'],
  ['with a profile is rejected without AppArmor', { pod: DEFAULT }, false, DISABLED],
  ["with a container's profile is rejected without AppArmor", { container: DEFAULT }, false, DISABLED],
  [
    'with a profile from an annotation is rejected without AppArmor',
    { annotation: 'runtime/default' },
    false,
    DISABLED,
  ],
  ['that is already running continues', { pod: DEFAULT, phase: 'Running' }, false, 'admitted'],
  [
    'with a local profile needs its name',
    { container: { type: 'Localhost', localhostProfile: ' ' } },
    true,
    'AppArmor: Cannot enforce AppArmor: invalid empty AppArmor profile name',
  ],
])('AppArmor admission: a pod %s', async (_, wish, isEnabled, expected) => {
  const result = await appArmorAdmitHandler(isEnabled).admit(aPod(wish), []);
  expect(result.admit ? 'admitted' : `${result.reason}: ${result.message}`).toBe(expected);
});
