import { type MaybePromise, soon } from '#lib/machinery/soon.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Attributes } from '#lib/server/registry/admission.ts';
import type { Match } from '../matching/matcher.ts';
import { type VersionedObjects, versionedObjects } from '../versioned.ts';
import { Decisions } from './decisions.ts';
import { RequestVariables } from './request-variables.ts';

/** A request in one version: its objects, and the variables of expressions. */
export interface View {
  readonly objects: VersionedObjects;
  readonly request: RequestVariables;
}

/** Views of a request for policies and webhooks. Each version is converted once, until the object changes. */
export class RequestViews {
  readonly attributes: Attributes;
  readonly #decisions: Decisions;
  readonly #views = new Map<string, View>();
  #last: { readonly resource: Match['resource']; readonly view: View } | undefined;

  constructor(attributes: Attributes, authorizer: Authorizer) {
    this.attributes = attributes;
    this.#decisions = new Decisions(attributes.user, authorizer);
  }

  of(match: Match): MaybePromise<View> {
    if (this.#last?.resource === match.resource) return this.#last.view;
    const { group, version, resource } = match.resource;
    const key = `${group}/${version}/${resource}`;
    return soon(this.#views.get(key) ?? this.#make(key, match), (view) => {
      this.#last = { resource: match.resource, view };
      return view;
    });
  }

  #make(key: string, match: Match): MaybePromise<View> {
    return soon(versionedObjects(this.attributes, match), (objects) => {
      const view = { objects, request: new RequestVariables(this.attributes, match, objects, this.#decisions) };
      this.#views.set(key, view);
      return view;
    });
  }

  /** Drops the cached views. Call this before the object is replaced. */
  forget(): void {
    this.#views.clear();
    this.#last = undefined;
  }
}
