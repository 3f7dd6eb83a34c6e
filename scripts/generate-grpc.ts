import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = `usage: npm run generate:grpc -- --cri FOLDER --kubelet FOLDER --csi FOLDER

Writes the messages and services of the node's gRPC interfaces, which are committed.

  --cri FOLDER      the sources of k8s.io/cri-api
  --kubelet FOLDER  the sources of k8s.io/kubelet
  --csi FOLDER      the specification of CSI`;

/** The tools that convert protocol definitions to TypeScript. Only this script needs them, so they are not dependencies of the project. */
const TOOLS = ['--package=@bufbuild/buf@1.75.0', '--package=ts-proto@2.18.0'];

/** The type for 64-bit integers. `bigint` can hold nanoseconds since 1970; the kubelet's own interfaces only have small numbers. */
const options = (long: 'bigint' | 'number') => [
  `forceLong=${long}`,
  'enumsAsLiterals=true',
  'outputServices=generic-definitions',
  'outputJsonMethods=false',
  'importSuffix=.ts',
  'useExactTypes=false',
  'env=node',
];

/** Writes the messages in one definition file, and in the files that it imports from Google, as TypeScript without comments. */
function generate(proto: string, long: 'bigint' | 'number', into: string, imports: readonly string[] = []): void {
  const folder = mkdtempSync(join(tmpdir(), 'davit-generate-'));
  try {
    mkdirSync(join(folder, 'in'));
    cpSync(proto, join(folder, 'in', 'api.proto'));
    const plugin = {
      local: 'protoc-gen-ts_proto',
      out: 'out',
      opt: options(long),
      include_imports: imports.length > 0,
      include_wkt: imports.length > 0,
    };
    writeFileSync(join(folder, 'buf.gen.yaml'), JSON.stringify({ version: 'v2', plugins: [plugin] }));
    execFileSync('npm', ['exec', '--yes', ...TOOLS, '--', 'buf', 'generate', 'in'], { cwd: folder, stdio: 'inherit' });
    for (const [from, to] of [['api.ts', into], ...imports.map((path) => [path, join(dirname(into), path)])] as const) {
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, stripped(readFileSync(join(folder, 'out', from), 'utf8')));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Removes comments, file and package names, and the namespaces of enumerations, whose constants no code uses. */
const stripped = (text: string): string =>
  `// Written by \`npm run generate:grpc\`.\n${text
    .replaceAll(/\n[ \t]*\/\*\*(?:[^*]|\*[^/])*\*\//g, '')
    .replaceAll(/\nexport namespace \w+ \{[^}]*\n\}\n/g, '')
    .replaceAll(/^export const protobuf\w+ = .*;\n/gm, '')
    .replaceAll(/^\/\/.*\n/gm, '')
    .replaceAll(/^\/\* eslint-disable \*\/\n/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimStart()}`;

const { values } = parseArgs({
  options: { cri: { type: 'string' }, kubelet: { type: 'string' }, csi: { type: 'string' } },
});
if (values.cri === undefined || values.kubelet === undefined || values.csi === undefined) {
  console.error(USAGE);
  process.exit(2);
}

const lib = join(import.meta.dirname, '..', 'lib');
const cri = join(values.cri, 'pkg/apis/runtime/v1/api.proto');
generate(cri, 'bigint', join(lib, 'cri-api/generated/runtime-v1.ts'));
for (const api of [
  'deviceplugin/v1beta1',
  'dra/v1',
  'dra/v1beta1',
  'dra-health/v1alpha1',
  'pluginregistration/v1',
  'podresources/v1',
  'podresources/v1alpha1',
]) {
  const proto = join(values.kubelet, 'pkg/apis', api, 'api.proto');
  generate(proto, 'number', join(lib, 'kubelet-api/generated', `${api.replace('/', '-')}.ts`));
}
generate(join(values.csi, 'csi.proto'), 'number', join(lib, 'csi/generated/csi-v1.ts'), [
  'google/protobuf/timestamp.ts',
  'google/protobuf/wrappers.ts',
]);
