import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, items, unlessText } from '#lib/machinery/unstructured.ts';
import { canonicalQuantity, roundResources } from '#lib/machinery/resource/quantities.ts';
import { imageTag } from './image-name.ts';

/** Upstream's defaults of regular, init and ephemeral containers. */
export function defaultContainer(container: JsonObject): void {
  const image = ownField(container, 'image');
  unlessText(container, 'imagePullPolicy', pullPolicy(typeof image === 'string' ? image : ''));
  unlessText(container, 'terminationMessagePath', '/dev/termination-log');
  unlessText(container, 'terminationMessagePolicy', 'File');
  for (const port of items(container, 'ports')) unlessText(port, 'protocol', 'TCP');
  for (const variable of items(container, 'env')) defaultValueFrom(objectAt(variable, 'valueFrom'));
  roundResources(ensure(container, 'resources'), 'limits', 'requests');
  for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe']) defaultProbe(objectAt(container, field));
  const lifecycle = objectAt(container, 'lifecycle');
  for (const field of ['postStart', 'preStop']) defaultHandler(objectAt(lifecycle, field));
}

/** The image's latest version is pulled always, any other once. */
export function pullPolicy(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultValueFrom(from: JsonObject | undefined): void {
  defaultFieldRef(objectAt(from, 'fieldRef'));
  defaultResourceRef(objectAt(from, 'resourceFieldRef'));
  const file = objectAt(from, 'fileKeyRef');
  if (file !== undefined) file['optional'] ??= false;
}

/** Of the downward API, in variables and in volumes. */
export function defaultFieldRef(ref: JsonObject | undefined): void {
  if (ref !== undefined) unlessText(ref, 'apiVersion', 'v1');
}

export function defaultResourceRef(ref: JsonObject | undefined): void {
  if (ref !== undefined) ref['divisor'] = canonicalQuantity(ownField(ref, 'divisor') ?? '0');
}

const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

function defaultProbe(probe: JsonObject | undefined): void {
  if (probe === undefined) return;
  for (const [field, value] of Object.entries(PROBE)) if (count(probe, field) === 0) probe[field] = value;
  defaultHandler(probe);
  const grpc = objectAt(probe, 'grpc');
  if (grpc !== undefined) grpc['service'] ??= '';
}

function defaultHandler(handler: JsonObject | undefined): void {
  const get = objectAt(handler, 'httpGet');
  if (get === undefined) return;
  unlessText(get, 'path', '/');
  unlessText(get, 'scheme', 'HTTP');
}
