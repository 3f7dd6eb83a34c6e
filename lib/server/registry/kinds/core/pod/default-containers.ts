import type {
  EnvVarSource,
  LifecycleHandler,
  ObjectFieldSelector,
  Probe,
  ResourceFieldSelector,
} from '#lib/api/types/core.v1.ts';
import { canonicalQuantity, roundResources } from '#lib/machinery/resource/quantities.ts';
import { imageTag } from './image-name.ts';
import type { AnyContainer } from './validation/visit.ts';

/** Upstream's defaults of regular, init and ephemeral containers. */
export function defaultContainer(container: AnyContainer): void {
  container.imagePullPolicy ||= pullPolicy(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? []) defaultValueFrom(valueFrom);
  // Revisions of controllers keep templates that nobody decodes, without it.
  container.resources ??= {};
  roundResources(container.resources, 'limits', 'requests');
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) defaultProbe(probe);
  for (const handler of [container.lifecycle?.postStart, container.lifecycle?.preStop]) defaultHandler(handler);
}

/** Images with the tag `latest` are pulled always, others where the node does not have them. */
export function pullPolicy(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultValueFrom(from: EnvVarSource | undefined): void {
  defaultFieldRef(from?.fieldRef);
  defaultResourceRef(from?.resourceFieldRef);
  if (from?.fileKeyRef !== undefined) from.fileKeyRef.optional ??= false;
}

/** Upstream's defaults of a field reference of the downward API, in variables and in volumes. */
export function defaultFieldRef(ref: ObjectFieldSelector | undefined): void {
  if (ref !== undefined) ref.apiVersion ||= 'v1';
}

/** Upstream's defaults of a resource reference of the downward API: no divisor is written as `0`. */
export function defaultResourceRef(ref: ResourceFieldSelector | undefined): void {
  if (ref !== undefined) ref.divisor = canonicalQuantity(ref.divisor);
}

function defaultProbe(probe: Probe | undefined): void {
  if (probe === undefined) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  defaultHandler(probe);
  if (probe.grpc !== undefined) probe.grpc.service ??= '';
}

function defaultHandler(handler: Probe | LifecycleHandler | undefined): void {
  const get = handler?.httpGet;
  if (get === undefined) return;
  get.path ||= '/';
  get.scheme ||= 'HTTP';
}
