import { serverArguments } from './arguments.ts';

/*
 * Replaces kube-apiserver in controller-runtime's envtest. The envtest first runs it with --help, to detect servers so old that they have
 * an insecure port.
 */
const given = process.argv.slice(2);
if (given.includes('--help')) console.log("davit in place of kube-apiserver; its flags are upstream's");
else {
  const { directory, flags } = serverArguments(given);
  process.argv.splice(2, given.length, ...flags);
  if (directory !== undefined) process.chdir(directory); // the server writes its kubeconfig there
  await import('../main.ts');
}
