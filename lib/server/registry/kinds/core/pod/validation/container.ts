import type { ContainerResizePolicy } from '#lib/api/types/core.v1.ts';
import { duplicate, type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { dns1123Label, oneOf, requiredText } from '../../../shared/validate.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { validateContainerPorts } from './ports.ts';
import { validatePullPolicy } from './pull-policy.ts';
import { validateContainerResources } from './resources.ts';
import type { PodScope } from './scope.ts';
import { validateSecurityContext } from './security-context.ts';
import type { AnyContainer } from './visit.ts';
import { validateVolumeDevices, validateVolumeMounts } from './volume-mounts.ts';

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];

/** Upstream's validateContainerCommon: rules for regular, init and ephemeral containers. */
export function validateContainer(container: AnyContainer, path: FieldPath, scope: PodScope): FieldError[] {
  const { name } = container;
  return [
    ...(name === '' ? [required(path.child('name'))] : dns1123Label(name, path.child('name'))),
    ...requiredText(container, 'image', path),
    ...oneOf(container.terminationMessagePolicy ?? '', path.child('terminationMessagePolicy'), MESSAGE_POLICIES),
    ...validateContainerPorts(container.ports ?? [], path.child('ports')),
    ...validateEnv(container.env ?? [], path.child('env')),
    ...validateEnvFrom(container.envFrom ?? [], path.child('envFrom')),
    ...validateVolumeMounts(container, scope.volumes, path.child('volumeMounts')),
    ...validateVolumeDevices(container, scope.volumes, path.child('volumeDevices')),
    ...validatePullPolicy(container.imagePullPolicy ?? '', path.child('imagePullPolicy')),
    ...validateContainerResources(container.resources, path.child('resources'), scope),
    ...validateResizePolicy(container.resizePolicy ?? [], path.child('resizePolicy'), scope.restartPolicy),
    ...validateSecurityContext(container.securityContext, path.child('securityContext'), scope.hostUsers),
  ];
}

/** Rejects an image name with surrounding white space, in pods but not in templates. */
export function validateImageTrimmed({ image = '' }: AnyContainer, path: FieldPath): FieldError[] {
  if (image === image.trim()) return [];
  return [invalid(path.child('image'), image, 'must not have leading or trailing whitespace')];
}

const NEVER = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";

function validateResizePolicy(
  list: readonly ContainerResizePolicy[],
  path: FieldPath,
  podRestartPolicy: string,
): FieldError[] {
  const seen = new Set<string>();
  return list.flatMap(({ resourceName: resource, restartPolicy: restart }, i) => {
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
