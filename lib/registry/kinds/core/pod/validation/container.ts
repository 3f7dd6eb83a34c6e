import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { duplicate, invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { dns1123Label, oneOf, requiredText } from '../../../shared/validate.ts';
import type { PodScope } from './scope.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { validateContainerPorts } from './ports.ts';
import { validatePullPolicy } from './pull-policy.ts';
import { validateContainerResources } from './resources.ts';
import { validateSecurityContext } from './security-context.ts';
import { validateVolumeDevices, validateVolumeMounts } from './volume-mounts.ts';

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];

/** What regular, init and ephemeral containers have in common. */
export function validateContainer(container: JsonObject, path: FieldPath, scope: PodScope): FieldError[] {
  const name = text(container, 'name');
  return [
    ...(name === '' ? [required(path.child('name'))] : dns1123Label(name, path.child('name'))),
    ...requiredText(container, 'image', path),
    ...oneOf(text(container, 'terminationMessagePolicy'), path.child('terminationMessagePolicy'), MESSAGE_POLICIES),
    ...validateContainerPorts(items(container, 'ports'), path.child('ports')),
    ...validateEnv(items(container, 'env'), path.child('env')),
    ...validateEnvFrom(items(container, 'envFrom'), path.child('envFrom')),
    ...validateVolumeMounts(container, scope.volumes, path.child('volumeMounts')),
    ...validateVolumeDevices(container, scope.volumes, path.child('volumeDevices')),
    ...validatePullPolicy(text(container, 'imagePullPolicy'), path.child('imagePullPolicy')),
    ...validateContainerResources(objectAt(container, 'resources'), path.child('resources'), scope),
    ...validateResizePolicy(items(container, 'resizePolicy'), path.child('resizePolicy'), scope.restartPolicy),
    ...validateSecurityContext(objectAt(container, 'securityContext'), path.child('securityContext'), scope.hostUsers),
  ];
}

/** Pods, unlike templates, refuse an image name with white space around it. */
export function validateImageTrimmed(container: JsonObject, path: FieldPath): FieldError[] {
  const image = text(container, 'image');
  if (image === image.trim()) return [];
  return [invalid(path.child('image'), image, 'must not have leading or trailing whitespace')];
}

const NEVER = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";

function validateResizePolicy(list: readonly JsonObject[], path: FieldPath, podRestartPolicy: string): FieldError[] {
  const seen = new Set<string>();
  return list.flatMap((policy, i) => {
    const resource = text(policy, 'resourceName');
    const restart = text(policy, 'restartPolicy');
    const again = seen.has(resource) ? [duplicate(path.index(i), resource)] : [];
    seen.add(resource);
    const never = podRestartPolicy === 'Never' && restart !== 'NotRequired';
    return [
      ...again,
      ...oneOf(resource, path, ['cpu', 'memory']),
      ...oneOf(restart, path, ['NotRequired', 'RestartContainer']),
      ...(never ? [invalid(path, restart, NEVER)] : []),
    ];
  });
}
