import { quote } from '#lib/machinery/go.ts';
import {
  type Check,
  containers,
  containersOf,
  distinct,
  type PodView,
  plural,
  quoted,
  type Secured,
} from '../check.ts';

const ALLOWED: readonly (string | undefined)[] = [undefined, 'RuntimeDefault', 'Localhost'];
const ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

/** Allows AppArmor's default profile, or a profile of the host. */
export const appArmorProfile: Check = {
  id: 'appArmorProfile',
  versions: [{ since: 0, check: judge }],
};

function judge({ annotations, spec }: PodView): ReturnType<Check['versions'][0]['check']> {
  const ofPod = profileOf(spec);
  const podIsBad = !ALLOWED.includes(ofPod);
  const bad = containersOf(spec).filter((one) => !ALLOWED.includes(profileOf(one)));
  const annotated = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(ANNOTATION) && !isAllowed(value))
    .map(([key, value]) => `${key}=${quote(value)}`)
    .sort();
  const who = [
    ...(podIsBad ? ['pod'] : []),
    ...(bad.length > 0 ? [containers(bad.map(({ name }) => name))] : []),
    ...(annotated.length > 0 ? [plural('annotation', annotated)] : []),
  ];
  if (who.length === 0) return undefined;
  const types = [...(podIsBad ? [ofPod ?? ''] : []), ...bad.map((one) => profileOf(one) ?? '')];
  const values = [...distinct(types), ...annotated];
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
}

const profileOf = ({ securityContext }: Secured): string | undefined => securityContext?.appArmorProfile?.type;

const isAllowed = (annotation: string): boolean =>
  annotation === '' || annotation === 'runtime/default' || annotation.startsWith('localhost/');
