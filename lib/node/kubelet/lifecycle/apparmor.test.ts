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
  ['with a profile runs where AppArmor is', { pod: DEFAULT }, true, 'admitted'],
  ['with a profile is refused elsewhere', { pod: DEFAULT }, false, DISABLED],
  ['with a profile of a container is refused elsewhere', { container: DEFAULT }, false, DISABLED],
  ['with a profile by annotation is refused elsewhere', { annotation: 'runtime/default' }, false, DISABLED],
  ['that runs already goes on', { pod: DEFAULT, phase: 'Running' }, false, 'admitted'],
  [
    'with a local profile needs its name',
    { container: { type: 'Localhost', localhostProfile: ' ' } },
    true,
    'AppArmor: Cannot enforce AppArmor: invalid empty AppArmor profile name',
  ],
])('a pod %s', async (_, wish, isEnabled, expected) => {
  const result = await appArmorAdmitHandler(isEnabled).admit(aPod(wish), []);
  expect(result.admit ? 'admitted' : `${result.reason}: ${result.message}`).toBe(expected);
});
