import { dynamicValue } from '#lib/api/admission-cel/dynamic-value.ts';
import { authorizerValue, requestResourceValue } from '#lib/api/cel/library/authorizer.ts';
import type { Value } from '#lib/api/cel/values/value.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Match } from '../matching/matcher.ts';
import type { VersionedObjects } from '../versioned.ts';
import type { Decisions } from './decisions.ts';
import { admissionRequest } from './request.ts';

/** A request as expressions see it, in one version. It is converted once for all policies and webhooks. */
export class RequestVariables {
  readonly attributes: Attributes;
  readonly decisions: Decisions;
  readonly #match: Match;
  readonly #versioned: VersionedObjects;
  readonly #known = new Map<string, Value>();

  constructor(attributes: Attributes, match: Match, versioned: VersionedObjects, decisions: Decisions) {
    this.attributes = attributes;
    this.decisions = decisions;
    this.#match = match;
    this.#versioned = versioned;
  }

  /** Returns undefined for variables that do not belong to the request. */
  resolve(name: string): Value | undefined {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const made = this.#make(name);
    if (made !== undefined) this.#known.set(name, made);
    return made;
  }

  #make(name: string): Value | undefined {
    const { authorize } = this.decisions;
    switch (name) {
      case 'object':
        return dynamicValue(this.#versioned.object);
      case 'oldObject':
        return dynamicValue(this.#versioned.oldObject);
      case 'request':
        return dynamicValue(admissionRequest(this.attributes, this.#match));
      case 'authorizer':
        return authorizerValue(authorize);
      case 'authorizer.requestResource': {
        const { resource: gvr, subresource, namespace, name: named } = this.attributes;
        return requestResourceValue(authorize, {
          group: gvr.group,
          resource: gvr.resource,
          subresource,
          namespace,
          name: named,
        });
      }
      default:
        return undefined;
    }
  }
}
