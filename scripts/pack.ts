import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Builds the content of the package in dist/: the JavaScript and declarations that the package's modules and its command import.
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const { status } = spawnSync('tsc', ['-p', 'tsconfig.package.json'], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

// The package needs one file that is not TypeScript.
const dockerfile = 'infra/constructs/front-door/Dockerfile';
copyFileSync(join(root, dockerfile), join(dist, dockerfile));

// `#lib/…` resolves to the built files there, because the nearest package.json defines it.
const rooms = ['lib', 'adapters', 'functions', 'local'];
const imports = Object.fromEntries(rooms.map((room) => [`#${room}/*.ts`, `./${room}/*.js`]));
writeFileSync(join(dist, 'package.json'), JSON.stringify({ type: 'module', imports }));
