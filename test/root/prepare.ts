import { setup } from './setup.ts';

setup();
