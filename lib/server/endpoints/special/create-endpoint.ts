import { recordUpdate } from '#lib/api/patch/apply/record-update.ts';
import { type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { apiVersion, type GroupVersionKind } from '#lib/machinery/schema.ts';
import type { Admission, Attributes } from '#lib/server/registry/admission.ts';
import { builtInScheme } from '#lib/server/registry/built-in-scheme.ts';
import type { ObjectScheme } from '#lib/server/registry/resource.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import { ensureMetadata, ensureNamespace } from '#lib/server/registry/rest/meta.ts';
import { attributesOf } from '#lib/server/registry/store/attributes.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import { decodeBody } from '../decode-body.ts';
import type { Handler } from '../filters/filter.ts';
import { MEDIA_TYPES, negotiate } from '../negotiate.ts';
import { writeOptions } from '../options.ts';
import { respond } from '../respond.ts';
import { operation } from '../scope.ts';

/** The ports of endpoints that respond to a POST and store nothing. */
export interface CreatePorts {
  readonly admission: Admission;
  readonly cluster: string;
}

/** A built-in kind whose objects have a type. */
export interface KindOf<T extends JsonObject> extends GroupVersionKind {
  /** Never present. It only binds the type. */
  readonly type?: T;
}

/** The decoded body of a request to an endpoint that stores no object under the body's name. */
export interface Creation<T extends JsonObject> {
  readonly context: RequestContext;
  readonly op: OperationContext;
  readonly object: T;
  /** Runs the validating plugins. Call it once the object is known to be valid. */
  admit(): Promise<void>;
}

/** The kind of such an endpoint, and its behaviour. */
export interface CreateRules<T extends JsonObject> {
  readonly kind: KindOf<T>;
  readonly namespaced: boolean;
  /** If true, the client's uid and resource version are preconditions rather than errors. */
  readonly keepsSystemFields?: boolean;
  /** Sets defaults beyond those of the kind. */
  default?(object: T): void;
  /** Returns the response object, with its kind. */
  readonly act: (creation: Creation<T>) => Promise<JsonObject>;
}

/** Serves the POST of an object of `kind` that is not stored, like upstream's create handler over a virtual storage. */
export function createEndpoint<T extends JsonObject>(
  { admission, cluster }: CreatePorts,
  rules: CreateRules<T>,
): Handler {
  const { kind, namespaced } = rules;
  const scheme = builtInScheme(kind);
  return async (context) => {
    const { request, info, warn } = context;
    const offer = { mediaTypes: MEDIA_TYPES, transformMediaTypes: MEDIA_TYPES, transforms: false };
    const want = negotiate(request, offer);
    const options = writeOptions(request.query, 'CreateOptions');
    const body = { bytes: await request.body(), contentType: request.headers['content-type'] };
    const decoded = ofKind(kind, decodeBody(body, scheme, options.fieldValidation, warn));
    context.audit?.requestObject(decoded);
    rules.default?.(decoded);
    const metadata = ensureMetadata(decoded);
    ensureNamespace(metadata, namespaced ? info.namespace : '');
    if (rules.keepsSystemFields !== true) wipeSystemFields(metadata);
    const op = operation({ context, admission, cluster }, options);
    const object = ofKind(kind, managed(scheme, op, decoded));
    const attributes = createAttributes(scheme, info, op, object);
    await admission.admit(attributes);
    const answer = await rules.act({ context, op, object, admit: () => admission.validate(attributes) });
    return respond(answer, want, 201);
  };
}

/** The kind's scheme has decoded the object, so it has this type. */
const ofKind = <T extends JsonObject>(_kind: KindOf<T>, object: JsonObject): T => object as T;

function wipeSystemFields(metadata: JsonObject): void {
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'])
    delete metadata[field];
}

function managed(scheme: ObjectScheme, op: OperationContext, updated: JsonObject): JsonObject {
  return recordUpdate({
    live: {},
    updated,
    manager: op.fieldManager,
    operation: 'Update',
    schema: scheme.typed,
    apiVersion: apiVersion(scheme.kind),
    subresource: op.subresource,
    now: op.now,
    isCreate: true,
  });
}

function createAttributes(
  scheme: ObjectScheme,
  { group, version, resource, name: asked }: RequestInfo,
  op: OperationContext,
  object: JsonObject,
): Attributes {
  const name = asked === '' ? nameOf(object) : asked;
  return attributesOf(op, { operation: 'CREATE', scheme, resource: { group, version, resource }, name, object });
}

/** The Status of an endpoint that returns no object. */
export const SUCCESS: JsonObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** Returns the object with its kind first, as responses contain it. */
export function typed(kind: GroupVersionKind, object: JsonObject): JsonObject {
  return { ...object, kind: kind.kind, apiVersion: stringAt(object, 'apiVersion') ?? apiVersion(kind) };
}
