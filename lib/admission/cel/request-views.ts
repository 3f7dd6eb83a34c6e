import type { Authorizer } from '#lib/authorization/authorizer.ts';
import type { Attributes } from '../admission.ts';
import type { Match } from '../matching/matcher.ts';
import { versioned, type Versioned } from '../versioned.ts';
import { Decisions } from './decisions.ts';
import { RequestVariables } from './request-variables.ts';

/** A request in one version: its objects, and what expressions see of it. */
export interface View {
  readonly objects: Versioned;
  readonly request: RequestVariables;
}

/** A request as those who are asked about it see it: converted once for each version until it changes. */
export class RequestViews {
  readonly attributes: Attributes;
  readonly #decisions: Decisions;
  readonly #views = new Map<string, View>();

  constructor(attributes: Attributes, authorizer: Authorizer) {
    this.attributes = attributes;
    this.#decisions = new Decisions(attributes.user, authorizer);
  }

  async of(match: Match): Promise<View> {
    const { group, version, resource } = match.resource;
    const key = `${group}/${version}/${resource}`;
    const known = this.#views.get(key);
    if (known !== undefined) return known;
    const objects = await versioned(this.attributes, match);
    const view = { objects, request: new RequestVariables(this.attributes, match, objects, this.#decisions) };
    this.#views.set(key, view);
    return view;
  }

  /** To be told before the object is replaced. */
  forget(): void {
    this.#views.clear();
  }
}
