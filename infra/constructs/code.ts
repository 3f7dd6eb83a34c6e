import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Aspects, Lazy } from 'aws-cdk-lib';
import { Code, type CodeConfig } from 'aws-cdk-lib/aws-lambda';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Construct } from 'constructs';
import { bundle, bundleUsers, type Declarations, writeForAll } from '../bundle/bundle.ts';
import { type Context, ContextError } from '../context.ts';

/** The folder of bundles: inside a checkout, or next to the app that uses an installed package. */
const DIST = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, '../../dist')
  : resolve('node_modules/.cache/davit-infra');

/** The code of every function in a template without bundles (`bundle=false`). */
const STUB = 'exports.handler = async () => ({ statusCode: 503 });\n';

type How = Pick<Context, 'bundle' | 'bootstrap'>;

/** A function's bundle, built now. */
export const codeOf = (name: string, context: How): Code => Code.fromAsset(codeFolder(name, context));

/** The same bundle with additional files that are written after the whole stack is declared. A file without text is left out. */
export const codeWith = (name: string, context: How, ...files: readonly DeclaredFile[]): Code =>
  new LateCode(() => folderWith(name, context, ...files));

/** The folder that holds a function's bundle, built now, and these files. */
export function folderWith(name: string, context: How, ...files: readonly DeclaredFile[]): string {
  const texts = files.map((file) => [file.name, file.text()] as const);
  if (!context.bundle) return stubWith(texts, context);
  const folder = codeFolder(name, context);
  for (const [file, text] of texts) if (text !== undefined) writeForAll(join(folder, file), text);
  return folder;
}

/** A file to add to a bundle. Without a text the bundle has no such file. */
export interface DeclaredFile {
  readonly name: string;
  text(): string | undefined;
}

/** The bundle of a user's file, and the file's declarations. The bundle is always built, because the template contains the declarations. */
export function usersCode(file: string, context: How): { readonly code: Code; readonly declared: Declarations } {
  if (!existsSync(file)) throw new ContextError(`there is no file of functions ${file}`);
  const path = resolve(file);
  const folder = join(DIST, 'functions', createHash('sha256').update(path).digest('hex').slice(0, 16));
  const declared = built.get(path) ?? bundleUsers(path, folder);
  built.set(path, declared);
  if (context.bootstrap !== undefined) addBootstrap(context.bootstrap, folder);
  return { code: Code.fromAsset(folder), declared };
}

/** The declarations of files that were bundled for this tree. Each file is bundled once, however many functions it declares. */
const built = new Map<string, Declarations>();

/** Code that is resolved when the construct tree is complete. Until then, constructs may still add to it. */
class LateCode extends Code {
  readonly isInline = false;
  readonly #folder: () => string;

  constructor(folder: () => string) {
    super();
    this.#folder = folder;
  }

  bind(scope: Construct): CodeConfig {
    let asset: Asset | undefined;
    Aspects.of(scope).add({
      visit: (node) => {
        if (node === scope) asset ??= new Asset(scope, 'LateCode', { path: this.#folder() });
      },
    });
    const bucketName = Lazy.string({ produce: () => asset?.s3BucketName });
    return { s3Location: { bucketName, objectKey: Lazy.string({ produce: () => asset?.s3ObjectKey }) } };
  }
}

/** The folder that holds a function's bundle, built now. */
function codeFolder(name: string, context: How): string {
  const folder = join(DIST, context.bundle ? name : 'stub');
  if (context.bundle) bundle(name, folder);
  else writeStub(folder);
  if (context.bootstrap !== undefined) addBootstrap(context.bootstrap, folder);
  return folder;
}

function stubWith(texts: readonly (readonly [string, string | undefined])[], context: How): string {
  const given = texts.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }]));
  if (given.length === 0) return codeFolder('', context);
  const digest = createHash('sha256').update(given.map(({ text }) => text).join());
  const folder = join(DIST, `stub-${digest.digest('hex').slice(0, 16)}`);
  writeStub(folder);
  for (const { name, text } of given) writeForAll(join(folder, name), text);
  return folder;
}

function writeStub(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeForAll(join(folder, 'index.js'), STUB);
}

/** Adds the file with which a custom runtime starts. */
function addBootstrap(from: string, folder: string): void {
  if (!existsSync(from))
    throw new ContextError(`context bootstrap is the path of an executable file; there is no ${from}`);
  const file = join(folder, 'bootstrap');
  copyFileSync(from, file);
  chmodSync(file, 0o755);
}
