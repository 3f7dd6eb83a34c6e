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

/** Upstream's defaults for regular, init and ephemeral containers. */
export function defaultContainer(container: AnyContainer): void {
  container.imagePullPolicy ||= pullPolicy(container.image ?? '');
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  for (const port of container.ports ?? []) port.protocol ||= 'TCP';
  for (const { valueFrom } of container.env ?? []) defaultValueFrom(valueFrom);
  // Without this, the templates in controller revisions, which are not decoded, would differ.
  container.resources ??= {};
  roundResources(container.resources, 'limits', 'requests');
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) defaultProbe(probe);
  for (const handler of [container.lifecycle?.postStart, container.lifecycle?.preStop]) defaultHandler(handler);
}

/** Returns `Always` for images with the tag `latest`, and `IfNotPresent` for others. */
export function pullPolicy(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultValueFrom(from: EnvVarSource | undefined): void {
  defaultFieldRef(from?.fieldRef);
  defaultResourceRef(from?.resourceFieldRef);
  if (from?.fileKeyRef !== undefined) from.fileKeyRef.optional ??= false;
}

/** Upstream's defaults for a downward API field reference, in variables and in volumes. */
export function defaultFieldRef(ref: ObjectFieldSelector | undefined): void {
  if (ref !== undefined) ref.apiVersion ||= 'v1';
}

/** Upstream's defaults for a downward API resource reference: an absent divisor becomes `0`. */
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
