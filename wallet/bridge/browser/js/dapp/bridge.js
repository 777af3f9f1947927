// Loads the wallet of the bridge that the address of the page names.
const bridge = new URLSearchParams(location.search).get('bridge');
if (bridge) {
  await new Promise((loaded, failed) => {
    const script = document.createElement('script');
    Object.assign(script, { src: `${bridge}/provider.js`, onload: loaded, onerror: () => failed(new Error('no provider script')) });
    document.head.append(script);
  });
}
