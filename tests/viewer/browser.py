"""A headless Chromium that is driven over its DevTools pipe: one page, which is asked by JavaScript."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# Generous: what is waited for is a condition, and only a failing test waits as long.
TIMEOUT_S = 60


class BrowserError(Exception):
    """The browser does not do what was asked."""


class Browser:
    def __init__(self, program):
        self.folder = tempfile.mkdtemp(prefix="ludus-browser-")
        self.log = open(os.path.join(self.folder, "log"), "wb")
        in_read, self.to_browser = os.pipe()
        self.from_browser, out_write = os.pipe()
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", 'exec "$@" 3<&%d 4>&%d' % (in_read, out_write), "sh",
             program, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update",
             "--enable-unsafe-swiftshader",
             "--user-data-dir=" + os.path.join(self.folder, "profile"),
             "about:blank"],
            pass_fds=(in_read, out_write), stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log)
        os.close(in_read)
        os.close(out_write)
        self.received = b""
        self.number = 0
        self.session = None
        self.problems = []  # what the page wrote to its console as an error, and threw
        self.refusals = []  # what the browser itself complained about, such as a broken policy
        self.requests = []  # what was asked of the network, once Network is enabled
        targets = self.wait_for(
            lambda: [t for t in self.call("Target.getTargets")["targetInfos"]
                     if t["type"] == "page"], "a page")
        self.session = self.call("Target.attachToTarget", targetId=targets[0]["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "DOM", "Log"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(20)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- messages: JSON, each ended by a zero byte ---

    def receive(self):
        deadline = time.monotonic() + TIMEOUT_S
        while b"\0" not in self.received:
            ready, _, _ = select.select([self.from_browser], [], [],
                                        max(0, deadline - time.monotonic()))
            data = os.read(self.from_browser, 1 << 20) if ready else b""
            if not data:
                raise BrowserError("the browser is silent" if not ready else "the browser ended: "
                                   + open(self.log.name, errors="replace").read()[-2000:])
            self.received += data
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to_browser, data):]
        return self.number

    def call(self, method, **parameters):
        number = self.send(method, parameters)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise BrowserError("%s: %s" % (method, answer["error"]["message"]))
                return answer["result"]
            self.note(answer)

    def note(self, event):
        parameters = event.get("params", {})
        if event.get("method") == "Page.javascriptDialogOpening":
            self.problems.append(parameters["message"])
            self.send("Page.handleJavaScriptDialog", {"accept": True})  # the page waits for it
        elif event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(parameters["exceptionDetails"].get("exception", {})
                                 .get("description", parameters["exceptionDetails"]["text"]))
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.refusals.append(parameters["entry"]["text"])
        elif event.get("method") == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif (event.get("method") == "Runtime.consoleAPICalled"
              and parameters["type"] in ("error", "warning")):
            self.problems.append(" ".join(str(a.get("value", a.get("description")))
                                          for a in parameters["args"]))

    # --- the page ---

    def open(self, url):
        self.call("Page.navigate", url=url)

    def ask(self, script):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError("%s: %s" % (script, answer["exceptionDetails"]["text"]))
        return answer["result"].get("value")

    @staticmethod
    def wait_for(condition, what):
        """Polls until a condition has a value that is true, which it returns."""
        deadline = time.monotonic() + TIMEOUT_S
        while True:
            value = condition()
            if value:
                return value
            if time.monotonic() > deadline:
                raise BrowserError("there is no %s" % what)
            time.sleep(0.05)

    def wait(self, script, what):
        return self.wait_for(lambda: self.ask(script), what)

    def set_file(self, selector, path):
        element = self.call("Runtime.evaluate", expression="document.querySelector(%s)"
                            % json.dumps(selector))["result"]
        self.call("DOM.setFileInputFiles", objectId=element["objectId"], files=[path])

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def set_color_scheme(self, scheme):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key):
        """A key as a person presses it: Enter, Escape, ArrowLeft, ..."""
        enter = {"windowsVirtualKeyCode": 13, "text": "\r"} if key == "Enter" else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **enter)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def point(self, element, click=False):
        """Moves the pointer to the middle of an element, a JavaScript expression; clicks there."""
        x, y = self.ask("(element => { element.scrollIntoView({block: 'center'});"
                        "const box = element.getBoundingClientRect();"
                        "return [box.x + box.width / 2, box.y + box.height / 2]; })(%s)" % element)
        for kind in ["mouseMoved"] + (["mousePressed", "mouseReleased"] if click else []):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def screenshot(self, path):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        with open(path, "wb") as file:
            file.write(data)
