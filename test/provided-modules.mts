/** Modules that n8n provides to a package at run time, and that n8n Cloud allows. Users have no other modules. */
export const PROVIDED_MODULES = ['n8n-workflow', 'luxon', 'crypto'];
