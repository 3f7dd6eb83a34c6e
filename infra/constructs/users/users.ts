import { createHash } from 'node:crypto';
import { Lazy, Stack } from 'aws-cdk-lib';
import type { IRole, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Declaration } from '#lib/client/controller/declaration.ts';
import type { OtherAccount } from '#lib/client/controller/function-accounts.ts';
import { reconcilerRole } from '#lib/client/controller/function-names.ts';
import { mayConcern } from '#lib/client/controller/requests.ts';
import type { AggregatedApiDeclaration } from '#lib/sdk/extension-apiserver/declaration.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { REVIEWS, type Review } from '#lib/sdk/webhook-sdk/reviews.ts';
import { ContextError } from '../../context.ts';
import { allow } from '../access.ts';
import type { DeclaredFile } from '../code.ts';

/** The maximum length in bytes of the list of reconcilers' names. The list is in the API server's environment, which is limited to 4 KB. */
const MOST_NAMES = 2600;
/**
 * The maximum size in bytes of a declaration. The declaration is stored as an annotation, and an object's annotations are limited to 256
 * KiB.
 */
const MOST_DECLARED = 200 * 1024;

/** The functions that users' constructs add to a stack, and the settings that pass them to the platform's functions. */
export class Users {
  readonly #stack: Stack;
  readonly #clusterId: string;
  readonly #reconcilers: { readonly queue: string; readonly declaration: Declaration }[] = [];
  readonly #webhooks: { readonly function: string; readonly declaration: WebhookDeclaration }[] = [];
  readonly #apis: { readonly function: string; readonly declaration: AggregatedApiDeclaration }[] = [];
  readonly #accounts: OtherAccount[] = [];
  readonly #reviewers = new Map<Review, { readonly name: string; readonly invoked: string }>();
  readonly #names = new Set<string>();
  readonly #allowed = new Map<IRole, Map<string, PolicyStatement>>();

  constructor(stack: Stack, clusterId: string) {
    this.#stack = stack;
    this.#clusterId = clusterId;
    this.roles = stack.formatArn({ service: 'iam', region: '', resource: 'role', resourceName: this.#rolePrefix() });
  }

  /** Lists for the stream the users' reconcilers, with the queue for the requests of each. */
  readonly reconcilers: DeclaredFile = { name: 'reconcilers.json', text: () => textOf(this.#reconcilers) };
  /** Lists for the built-in reconcilers the webhooks and aggregated APIs to register, and the accounts to create. */
  readonly functions: DeclaredFile = { name: 'functions.json', text: () => this.#text() };
  /** The reconcilers' names for the API server, and the prefix of their roles' ARNs. */
  readonly names: string = Lazy.string({ produce: () => this.#reconcilerNames() });
  readonly roles: string;
  /** Maps each review without a configuration object to the function that serves it. For functions that serve the API. */
  readonly reviews: string = Lazy.string({
    produce: () => [...this.#reviewers].map(([review, { invoked }]) => `${review}=${invoked}`).join(','),
  });
  /** A digest that changes with the declarations. */
  readonly digest: string = Lazy.string({
    produce: () => hash(this.#text() ?? ''),
  });

  /** The name of a function and its queue in the account. It is known before the function exists, because files refer to it. */
  nameOf(name: string): string {
    return `davit-${name.slice(0, 48)}-${hash([this.#stack.stackName, this.#clusterId, name].join('/')).slice(0, 8)}`;
  }

  /** The name of a reconciler's role, by which the API server authenticates it. Roles are shared by all regions of an account. */
  roleNameOf(name: string): string {
    return reconcilerRole(this.#rolePrefix(), name);
  }

  #rolePrefix(): string {
    return `davit-${this.#stack.region}-${hash([this.#stack.stackName, this.#clusterId].join('/')).slice(0, 8)}-`;
  }

  /** Throws ContextError if there are too many, or if the name is taken. */
  addReconciler(declaration: Declaration, queue: string): void {
    this.#take(declaration.name);
    this.#reconcilers.push({ queue, declaration });
    this.#checkNames();
  }

  /**
   * Makes the API server authenticate the role of this name as an account with these permissions, for a function that is not a reconciler.
   * Throws ContextError if there are too many.
   */
  addAccount(name: string, rules: OtherAccount['rules']): void {
    this.#accounts.push({ name, rules });
    this.#checkNames();
  }

  #checkNames(): void {
    const bytes = this.#reconcilerNames().length;
    if (bytes > MOST_NAMES)
      throw new ContextError(`names of a stack's reconcilers are ${MOST_NAMES} bytes at most, and these are ${bytes}`);
  }

  /** Whether a reconciler handles changes of a sequence. */
  hear(sequence: string): boolean {
    return this.#reconcilers.some(({ declaration }) => mayConcern(sequence, declaration));
  }

  /**
   * Allows a role of the platform to use one more function or queue. All resources share one statement, because a role's policies are
   * limited to 10 KB.
   */
  allow(role: IRole, action: 'sqs:SendMessage' | 'lambda:InvokeFunction', resource: string): void {
    const allowed = this.#allowed.get(role) ?? new Map<string, PolicyStatement>();
    this.#allowed.set(role, allowed);
    const known = allowed.get(action);
    if (known !== undefined) return known.addResources(resource);
    const statement = allow(`Users${action.split(':')[1]}`, [action], resource);
    allowed.set(action, statement);
    role.addToPrincipalPolicy(statement);
  }

  #reconcilerNames(): string {
    const names = this.#reconcilers.map(({ declaration }) => declaration.name);
    return [...names, ...this.#accounts.map(({ name }) => name)].join(',');
  }

  /** Throws ContextError if the name is taken, or if another webhook serves the same review. */
  addWebhook(declaration: WebhookDeclaration, invoked: string): void {
    const { name, type } = declaration;
    this.#take(name);
    const review = REVIEWS.find((one) => one === type);
    if (review === undefined) this.#webhooks.push({ function: invoked, declaration });
    else this.#addReviewer(review, { name, invoked });
  }

  /** Throws ContextError if the name or the group version is taken, or if the declaration is too large to register. */
  addApi(declaration: AggregatedApiDeclaration, invoked: string): void {
    const { name, group, version } = declaration;
    this.#take(name);
    const other = this.#apis.find(({ declaration: one }) => one.group === group && one.version === version);
    if (other !== undefined)
      throw new ContextError(`functions ${other.declaration.name} and ${name} both serve ${group}/${version}`);
    const bytes = Buffer.byteLength(JSON.stringify(declaration));
    if (bytes > MOST_DECLARED)
      throw new ContextError(
        `the declaration of ${name} is ${bytes} bytes, ${MOST_DECLARED} at most: its schemas are in it`,
      );
    this.#apis.push({ function: invoked, declaration });
  }

  #addReviewer(review: Review, reviewer: { readonly name: string; readonly invoked: string }): void {
    const other = this.#reviewers.get(review);
    if (other !== undefined)
      throw new ContextError(`functions ${other.name} and ${reviewer.name} are both a ${review}: one is asked`);
    this.#reviewers.set(review, reviewer);
  }

  #text(): string | undefined {
    const reconcilers = this.#reconcilers.map(({ declaration }) => declaration);
    return this.#names.size === 0
      ? undefined
      : JSON.stringify({ reconcilers, webhooks: this.#webhooks, apis: this.#apis, accounts: this.#accounts });
  }

  #take(name: string): void {
    if (this.#names.has(name)) throw new ContextError(`two functions have the name ${name}`);
    this.#names.add(name);
  }
}

const textOf = (all: readonly object[]): string | undefined => (all.length === 0 ? undefined : JSON.stringify(all));
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
